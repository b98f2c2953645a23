{{- define "skein.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "skein.scheduler" -}}
{{ include "skein.fullname" . }}-scheduler
{{- end -}}

{{- define "skein.members" -}}
{{ include "skein.fullname" . }}-members
{{- end -}}

{{/* Resolves to all nodes that serve callers: schedulers that do nothing else do not. */}}
{{- define "skein.servers" -}}
{{- if gt (int .Values.scheduler.replicaCount) 0 -}}
{{ include "skein.fullname" . }}-servers
{{- else -}}
{{ include "skein.members" . }}
{{- end -}}
{{- end -}}

{{- define "skein.trigger" -}}
{{ include "skein.fullname" . }}-trigger
{{- end -}}

{{- define "skein.verify" -}}
{{ include "skein.fullname" . }}-verify
{{- end -}}

{{- define "skein.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "skein.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{- define "skein.databaseSecret" -}}
{{ default (printf "%s-database" (include "skein.fullname" .)) .Values.database.existingSecret }}
{{- end -}}

{{- define "skein.clusterSecret" -}}
{{ default (printf "%s-cluster" (include "skein.fullname" .)) .Values.cluster.existingSecret }}
{{- end -}}

{{- define "skein.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- define "skein.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* http.body-bytes-max is SKEIN_HTTP_BODY_BYTES_MAX. */}}
{{- define "skein.environmentName" -}}
SKEIN_{{ . | upper | replace "." "_" | replace "-" "_" }}
{{- end -}}

{{/* All that runs is restricted. */}}
{{- define "skein.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* A Deployment of nodes: root, name, roles, replicas (empty: the autoscaler's), resources. */}}
{{- define "skein.nodes" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    app: {{ .name }}
    {{- include "skein.labels" $root | nindent 4 }}
spec:
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  minReadySeconds: 5
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      app: {{ .name }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app: {{ .name }}
        skein-cluster: {{ $values.cluster.name }}
      annotations:
        checksum/config: {{ include (print $root.Template.BasePath "/configmap.yaml") $root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "skein.serviceAccount" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- with $values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile:
          type: RuntimeDefault
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchLabels:
                    app: {{ .name }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: {{ .name }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: skein
          image: {{ include "skein.image" $root }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [node]
          envFrom:
            - configMapRef:
                name: {{ include "skein.fullname" $root }}
          env:
            {{- if .roles }}
            - name: SKEIN_NODE_ROLES
              value: {{ .roles }}
            {{- end }}
            - name: SKEIN_NODE_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: SKEIN_CLUSTER_HOST
              valueFrom:
                fieldRef:
                  fieldPath: status.podIP
            - name: SKEIN_DATABASE_USER
              valueFrom:
                secretKeyRef:
                  name: {{ include "skein.databaseSecret" $root }}
                  key: {{ $values.database.userKey }}
            - name: SKEIN_DATABASE_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: {{ include "skein.databaseSecret" $root }}
                  key: {{ $values.database.passwordKey }}
            {{- with $values.security.existingSecret }}
            - name: SKEIN_SECURITY_ADMIN_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: {{ . }}
                  key: {{ $values.security.adminPasswordKey }}
            {{- end }}
          ports:
            {{- if or (not .roles) (contains "http" .roles) }}
            - name: http
              containerPort: 5001
            {{- end }}
            - name: management
              containerPort: 5002
            - name: member
              containerPort: 5701
            - name: bus
              containerPort: 15701
          startupProbe:
            httpGet:
              path: /health/started
              port: management
            {{- toYaml $values.probes.startup | nindent 12 }}
          livenessProbe:
            httpGet:
              path: /health/live
              port: management
            {{- toYaml $values.probes.liveness | nindent 12 }}
          readinessProbe:
            httpGet:
              path: /health/ready
              port: management
            {{- toYaml $values.probes.readiness | nindent 12 }}
          resources:
            {{- toYaml .resources | nindent 12 }}
          securityContext:
            {{- include "skein.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - name: cluster-secret
              mountPath: /run/skein/cluster
              readOnly: true
            {{- if $values.cluster.tls.existingSecret }}
            - name: cluster-tls
              mountPath: /run/skein/tls
              readOnly: true
            {{- end }}
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: cluster-secret
          secret:
            secretName: {{ include "skein.clusterSecret" $root }}
            defaultMode: 288 # 0440
            items:
              - key: {{ $values.cluster.secretKey }}
                path: secret
        {{- with $values.cluster.tls.existingSecret }}
        - name: cluster-tls
          secret:
            secretName: {{ . }}
            defaultMode: 288 # 0440
        {{- end }}
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
{{- end -}}

{{/* A CronJob that calls the API: root, name, schedule, concurrency, deadline, backoff, restart, active, script. */}}
{{- define "skein.cronJob" -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "skein.labels" .root | nindent 4 }}
spec:
  schedule: {{ .schedule | quote }}
  timeZone: Etc/UTC
  concurrencyPolicy: {{ .concurrency }}
  startingDeadlineSeconds: {{ .deadline }}
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: {{ .backoff }}
      activeDeadlineSeconds: {{ .active }}
      template:
        metadata:
          labels:
            app: {{ include "skein.trigger" .root }}
        spec:
          restartPolicy: {{ .restart }}
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 100
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: trigger
              image: {{ .root.Values.cronJobs.image }}
              command:
                - /bin/sh
                - -c
                - |
                  {{- .script | nindent 18 }}
              env:
                # Of the minute that it was due in, and the same when it tries again.
                - name: JOB_NAME
                  valueFrom:
                    fieldRef:
                      fieldPath: metadata.labels['batch.kubernetes.io/job-name']
              resources:
                requests:
                  cpu: 10m
                  memory: 16Mi
                limits:
                  cpu: 100m
                  memory: 64Mi
              securityContext:
                {{- include "skein.containerSecurity" .root | nindent 16 }}
{{- end -}}
