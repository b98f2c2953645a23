# Read by drill.sh, not run: what rendered manifests say, and their pods as containers of $engine. It
# uses of drill.sh: $engine, $work (its folder), $name (prefix of all names), $prefix (of addresses),
# $image (in place of the manifests', unless empty), $password (of the database).
# shellcheck shell=sh disable=SC2034,SC2154

# --- what the manifests say: a line for each fact, in $work/facts those of the whole namespace, in
# $work/workloads/NAME those of a Deployment's pods, in $work/tests/NAME those of a single Pod

cat >"$work/facts.template" <<'TEMPLATE'
{{- define "peer"}}{{if .podSelector}}{{range $k, $v := .podSelector.matchLabels}}pod:{{$k}}={{$v}}{{end}}
{{- else if .namespaceSelector}}{{range $k, $v := .namespaceSelector.matchLabels}}namespace:{{$v}}{{end}}
{{- else}}network:{{.ipBlock.cidr}}{{range .ipBlock.except}},{{.}}{{end}}{{end}}{{end}}
{{- define "probe"}} {{.httpGet.port}} {{.httpGet.path}} {{.periodSeconds}} {{.timeoutSeconds}} {{.failureThreshold}}
{{end}}
{{- define "pod"}}{{$pod := .}}{{with index .containers 0 -}}
image {{.image}}
{{range .command}}command {{.}}
{{end}}{{range .args}}argument {{.}}
{{end}}{{range .envFrom}}from {{.configMapRef.name}}
{{end}}{{range .env}}{{if .valueFrom}}{{if .valueFrom.fieldRef}}field {{.name}} {{.valueFrom.fieldRef.fieldPath}}
{{else}}secret {{.name}} {{.valueFrom.secretKeyRef.name}} {{.valueFrom.secretKeyRef.key}}
{{end}}{{else}}variable {{.name}} {{.value}}
{{end}}{{end}}{{range .ports}}port {{.name}} {{.containerPort}}
{{end}}{{with .startupProbe}}probe startup{{template "probe" .}}{{end}}
{{- with .livenessProbe}}probe liveness{{template "probe" .}}{{end}}
{{- with .readinessProbe}}probe readiness{{template "probe" .}}{{end -}}
memory {{.resources.limits.memory}}
processors {{.resources.limits.cpu}}
read-only {{.securityContext.readOnlyRootFilesystem}}
escalation {{.securityContext.allowPrivilegeEscalation}}
{{range .securityContext.capabilities.drop}}drop {{.}}
{{end}}{{range .volumeMounts}}mount {{.name}} {{.mountPath}}
{{end}}{{end}}{{range .volumes}}{{$volume := .name}}volume {{.name}} {{if .secret}}secret {{.secret.secretName}} {{.secret.defaultMode}}{{range .secret.items}}
item {{$volume}} {{.key}} {{.path}}{{end}}{{else}}memory {{.emptyDir.sizeLimit}}{{end}}
{{end}}user {{$pod.securityContext.runAsUser}}
group {{$pod.securityContext.runAsGroup}}
{{with $pod.securityContext.fsGroup}}volume-group {{.}}
{{end}}{{end}}
{{- if eq .kind "Deployment"}}workload {{.metadata.name}}
{{template "pod" .spec.template.spec}}{{with .spec.replicas}}replicas {{.}}
{{end}}settle {{.spec.minReadySeconds}}
grace {{.spec.template.spec.terminationGracePeriodSeconds}}
{{range $k, $v := .spec.template.metadata.labels}}label {{$k}}={{$v}}
{{end}}end
{{else if eq .kind "Pod"}}test {{.metadata.name}}
{{template "pod" .spec}}deadline {{.spec.activeDeadlineSeconds}}
{{range $k, $v := .metadata.labels}}label {{$k}}={{$v}}
{{end}}end
{{else if eq .kind "HorizontalPodAutoscaler"}}least {{.spec.scaleTargetRef.name}} {{.spec.minReplicas}}
{{else if eq .kind "ConfigMap"}}{{$name := .metadata.name}}{{range $k, $v := .data}}config {{$name}} {{$k}}={{$v}}
{{end}}{{else if eq .kind "Secret"}}{{$name := .metadata.name}}{{range $k, $v := .stringData}}given {{$name}} {{$k}} {{$v}}
{{end}}{{else if eq .kind "Service"}}{{$name := .metadata.name}}{{range .spec.ports}}service {{$name}} {{.name}} {{.targetPort}}
{{end}}{{with .spec.clusterIP}}{{if eq . "None"}}headless {{$name}}
{{end}}{{end}}{{range $k, $v := .spec.selector}}selects {{$name}} {{$k}}={{$v}}
{{end}}{{else if eq .kind "NetworkPolicy"}}{{range .spec.ingress}}{{$rule := .}}{{range .from}}{{$peer := .}}{{range $rule.ports}}in {{template "peer" $peer}} {{.protocol}} {{.port}}
{{end}}{{end}}{{end}}{{range .spec.egress}}{{$rule := .}}{{range .to}}{{$peer := .}}{{range $rule.ports}}out {{template "peer" $peer}} {{.protocol}} {{.port}}
{{end}}{{end}}{{end}}{{end}}
TEMPLATE

read_manifests() { # file
  mkdir -p "$work/workloads" "$work/tests"
  # Without a server kubectl prints by a template only what it has changed.
  kubectl annotate --local -f "$1" drill=yes -o "go-template-file=$work/facts.template" |
    awk -v folder="$work" '
      $1 == "workload" || $1 == "test" { file = folder "/" $1 "s/" $2; next }
      $1 == "end" { file = ""; next }
      NF { print >(file == "" ? folder "/facts" : file) }'
}

# The facts of $workload, a file of workloads or tests, and of the namespace.
fact() { sed -n "s/^$1 //p" "$work/$workload" "$work/facts"; }
field() { fact "$1" | cut -d ' ' -f "$2"; }
port_of() { field "port $1" 1; }
has_label() { grep -qx "label $1" "$work/$workload"; }
replicas_of() { # of $workload: an autoscaler's least, where the Deployment says nothing
  found=$(fact replicas)
  echo "${found:-$(fact "least ${workload#workloads/}")}"
}

# --- secrets: those of the manifests, else the database's password, and one of the cluster

secret() { # variable, name, key
  found=$(fact "given $2 $3")
  if [ -n "$found" ]; then echo "$found"; return; fi
  case $1 in
    SKEIN_DATABASE_USER) echo elsa ;;
    SKEIN_DATABASE_PASSWORD) echo "$password" ;;
    *) echo "drill.sh: the manifests ask for the secret $2 with $3 as $1" >&2; return 1 ;;
  esac
}
# The volume with the cluster's secret: its key is named as its file, unless the volume says so.
make_cluster_secret() {
  read -r volume _ source _ <<FACT
$(sed -n 's/^volume \([^ ]* secret\)/\1/p' "$work/$workload" | head -n 1)
FACT
  read -r key file <<FACT
$(fact "item $volume")
FACT
  mkdir -p "$work/secrets/$source"
  found=$(fact "given $source ${key:-secret}")
  printf %s "${found:-$(openssl rand -hex 32)}" >"$work/secrets/$source/${file:-secret}"
  chgrp -R "$(fact volume-group)" "$work/secrets/$source"
  chmod 711 "$work" "$work/secrets"
  chmod 750 "$work/secrets/$source"
}

# --- NetworkPolicies. Pods of the cluster have the addresses 16 to 31.

peer_address() {
  case $1 in
    pod:skein-cluster=*) echo "$prefix.16/28" ;;
    pod:app=postgres) echo "$prefix.5" ;;
    pod:app=*-verify) echo "$prefix.8" ;;
    pod:app=*-trigger) echo "$prefix.9" ;;
    namespace:ingress-nginx) echo "$prefix.6" ;;
    namespace:monitoring) echo "$prefix.7" ;;
    namespace:kube-system) echo "$prefix.1" ;;
    *) echo "drill.sh: a NetworkPolicy names $1" >&2; return 1 ;;
  esac
}
rules() { # in or out, saddr or daddr
  fact "$1" | while read -r peer protocol port; do
    protocol=$(echo "$protocol" | tr '[:upper:]' '[:lower:]')
    case $peer in
      network:*,*)
        networks=${peer#network:}
        echo "ip $2 ${networks%%,*} ip $2 != { ${networks#*,} } $protocol dport $port accept"
        ;;
      network:*) echo "ip $2 ${peer#network:} $protocol dport $port accept" ;;
      *) echo "ip $2 $(peer_address "$peer") $protocol dport $port accept" ;;
    esac
  done
}
firewall() {
  probed=$(fact probe | while read -r _ port _; do port_of "$port"; done | sort -u | paste -sd, -)
  echo "table inet policies {"
  echo "chain incoming { type filter hook input priority 0; policy drop; ct state established,related accept; iif lo accept;"
  echo "ip saddr $prefix.1 tcp dport { $probed } accept"
  rules in saddr
  echo "}"
  echo "chain outgoing { type filter hook output priority 0; policy drop; ct state established,related accept; oif lo accept;"
  rules out daddr
  printf '}\n}\n'
}

# --- pods: a folder of $work/pods for each, with its name, address and workload

bytes() { echo "$1" | sed 's/Gi$/g/; s/Mi$/m/'; }
process_of() { $engine inspect --format '{{.State.Pid}}' "$1"; }

run_pod() { # folder, options…: the container of a pod of $workload
  pod=$1
  shift
  mkdir -p "$pod"
  for map in $(fact from); do fact "config $map"; done >"$pod/environment"
  set -- "$@" -d --name "$(cat "$pod/name")" --hostname "$(cat "$pod/name")" \
    --network "$name" --ip "$(cat "$pod/address")" --user "$(fact user):$(fact group)" --env-file "$pod/environment" \
    --memory "$(bytes "$(fact memory)")" --cpus "$(printf '%s\n' "$(fact processors)" "$(nproc)" | sort -n | head -n 1)"
  [ -z "$(fact volume-group)" ] || set -- "$@" --group-add "$(fact volume-group)"
  [ "$(fact read-only)" != true ] || set -- "$@" --read-only
  case $engine in *podman) set -- "$@" --read-only-tmpfs=false ;; esac
  [ "$(fact escalation)" != false ] || set -- "$@" --security-opt no-new-privileges
  for capability in $(fact drop); do set -- "$@" --cap-drop "$capability"; done
  while read -r kind variable value key; do
    case $kind in
      variable) set -- "$@" -e "$variable=$value${key:+ $key}" ;;
      secret) set -- "$@" -e "$variable=$(secret "$variable" "$value" "$key")" ;;
      field)
        case $value in
          metadata.name) set -- "$@" -e "$variable=$(cat "$pod/name")" ;;
          status.podIP) set -- "$@" -e "$variable=$(cat "$pod/address")" ;;
          *) echo "drill.sh: the manifests ask for $value" >&2; return 1 ;;
        esac
        ;;
      mount)
        # shellcheck disable=SC2046
        set -- "$@" $(volume "$variable" "$value")
        ;;
    esac
  done <"$work/$workload"
  [ -z "$(fact command)" ] || set -- "$@" --entrypoint "$(fact command | head -n 1)"
  # shellcheck disable=SC2046
  $engine run "$@" "${image:-$(fact image)}" $(fact command | tail -n +2) $(fact argument) >/dev/null
}
volume() { # name, path: the options for it
  read -r kind source detail <<FACT
$(fact "volume $1")
FACT
  case $kind in
    secret)
      chmod "0$(printf %o "$detail")" "$work/secrets/$source"/*
      echo "-v $work/secrets/$source:$2:ro"
      ;;
    memory) echo "--tmpfs $2:rw,exec,size=$(bytes "$source"),mode=1777" ;;
  esac
}

create() { # number, workload: a node; its number also makes its address
  workload=$2
  pod=$work/pods/$1
  mkdir "$pod"
  echo "$workload" >"$pod/workload"
  echo "$name-${workload#workloads/}-$1" >"$pod/name"
  echo "$prefix.$((15 + $1))" >"$pod/address"
  set -- --stop-timeout "$(fact grace)"
  for headless in $(fact headless); do
    ! has_label "$(fact "selects $headless")" || set -- "$@" --network-alias "$headless"
  done
  run_pod "$pod" "$@"
  enclose "$pod"
  kubelet "$pod" &
}
enclose() { nsenter -t "$(process_of "$(cat "$1/name")")" -n nft -f "$work/firewall"; } # pod
restart_if_ended() { # pod, as restartPolicy Always has it
  [ "$($engine inspect --format '{{.State.Running}}' "$(cat "$1/name")")" = false ] || return 0
  echo "      $(cat "$1/name") ended before it was started: $($engine logs "$(cat "$1/name")" 2>&1 | tail -n 1 | cut -c 1-300)"
  $engine start "$(cat "$1/name")" >/dev/null && enclose "$1"
}

# Files of a pod's folder: ready, deleted, unlisted, gone, and for which probes a kubelet had killed it.
probe() { # pod, which
  read -r port path _ timeout _ <<FACT
$(fact "probe $2")
FACT
  [ "$(curl -s -o /dev/null -m "$timeout" -w '%{http_code}' "http://$(cat "$1/address"):$(port_of "$port")$path")" = 200 ]
}
kubelet() { # pod, of $workload
  failures=0
  until probe "$1" startup; do
    failures=$((failures + 1))
    [ "$failures" -lt "$(field 'probe startup' 5)" ] || { echo startup >>"$1/killed"; return; }
    [ ! -e "$1/gone" ] && [ ! -e "$work/over" ] || return 0
    restart_if_ended "$1"
    sleep "$(field 'probe startup' 3)"
  done
  failures=0 dead=0 live_at=0
  until [ -e "$1/gone" ] || [ -e "$work/over" ]; do
    if probe "$1" readiness; then
      failures=0
      touch "$1/ready"
    else
      failures=$((failures + 1))
      [ "$failures" -lt "$(field 'probe readiness' 5)" ] || rm -f "$1/ready"
    fi
    if [ "$(date +%s)" -ge "$live_at" ]; then
      live_at=$(($(date +%s) + $(field 'probe liveness' 3)))
      if probe "$1" liveness; then dead=0; else dead=$((dead + 1)); fi
      [ "$dead" -lt "$(field 'probe liveness' 5)" ] || [ -e "$1/deleted" ] || { echo liveness >>"$1/killed"; return; }
    fi
    sleep "$(field 'probe readiness' 3)"
  done
}
delete() { # number: as a kubelet stops a pod; the seconds and the exit code are in its folder
  pod=$work/pods/$1
  workload=$(cat "$pod/workload")
  touch "$pod/deleted"
  (sleep $endpoints_seconds && touch "$pod/unlisted") &
  since=$(date +%s)
  $engine stop -t "$(fact grace)" "$(cat "$pod/name")" >/dev/null
  echo $(($(date +%s) - since)) >"$pod/seconds"
  $engine inspect --format '{{.State.ExitCode}}' "$(cat "$pod/name")" >"$pod/code"
  touch "$pod/gone"
}
ended_well() { # number
  workload=$(cat "$work/pods/$1/workload")
  [ "$(cat "$work/pods/$1/code")" = 0 ] && [ "$(cat "$work/pods/$1/seconds")" -lt "$(fact grace)" ]
}
