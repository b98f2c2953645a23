#!/bin/sh
# Makes the certificate of the Keycloak of docker/compose.yaml, of which it is its own authority, unless
# there is one. Runs in Keycloak's image; docker compose down -v removes what it has made.
#   STORE_PASSWORD=…  of the key store
# Writes /key/keycloak.p12, for Keycloak alone, and /ca/ca.pem, for the nodes and for browsers.
set -eu

[ ! -s /ca/ca.pem ] || exit 0
umask 027
rm -f /key/new /ca/new
keytool -genkeypair -keystore /key/new -storetype PKCS12 -storepass:env STORE_PASSWORD -alias keycloak \
  -keyalg EC -groupname secp256r1 -validity 365 -dname CN=keycloak.test \
  -ext san=dns:keycloak.test -ext bc:critical=ca:true -ext eku=serverAuth
keytool -exportcert -rfc -keystore /key/new -storepass:env STORE_PASSWORD -alias keycloak -file /ca/new
# Keycloak has the group 0.
chmod 640 /key/new
chmod 644 /ca/new
mv /key/new /key/keycloak.p12
mv /ca/new /ca/ca.pem
