# What the commands of runbook.md need, for bash and sh:
#
#   . deploy/prometheus/runbook.sh                         # a machine with the unit of systemd, as root
#   WHERE=kubernetes . deploy/prometheus/runbook.sh        # the namespace of kubectl's context, from anywhere
#   WHERE=compose . deploy/prometheus/runbook.sh           # the folder of compose.yaml
#   WHERE=here . deploy/prometheus/runbook.sh              # `npm start`, with the variables of the service in this shell
#
# log        prints the log of the last hour (SINCE=6h: of six), one JSON line a call; of LOG_DIR the newest file (LOG_FILES=3: three)
# fields     prints the named fields of each line beside each other, so that no row mixes two calls: log | fields code venue
# redis      is redis-cli with the address, user and password of the service
# data       runs a command in DATA_DIR: data ls -lt repair
# OPS        is the operations port
# TOKEN      is yours to set: a token of OPS_TOKEN with the role admin (staging without one: TOKEN=$(data cat ops-token))
#
# UNIT and SETTINGS_FILE name another unit of systemd, and its settings.

if [ -z "${WHERE:-}" ]; then
  if [ -d /etc/loyalty-gateway ]; then WHERE=systemd; else WHERE=here; fi
fi

case "$WHERE" in
  systemd)
    : "${DATA_DIR:=/var/lib/loyalty-gateway}"
    # systemd reads NAME=value without the rules of a shell, but takes quotes and white space around a value off.
    while read -r _line; do
      _name=${_line%%=*}
      _value=${_line#*=}
      case "$_value" in
        \"*\" | \'*\') _value=${_value#?} && _value=${_value%?} ;;
      esac
      case "$_name" in
        REDIS_URL | REDIS_PASSWORD_FILE | REDIS_SENTINEL_URL | REDIS_SENTINEL_PASSWORD_FILE | NODE_EXTRA_CA_CERTS | \
          OPS_HOST | OPS_PORT | LOG_DIR | DATA_DIR) export "$_name=$_value" ;;
      esac
    done <<END
$(cat "${SETTINGS_FILE:-/etc/loyalty-gateway/settings.env}" 2>/dev/null)
END
    ;;
  kubernetes)
    DATA_DIR=/data
    LOG_DIR=
    OPS_HOST=
    REDIS_URL=$(kubectl get secret loyalty-gateway -o 'jsonpath={.data.redis-url}' | base64 -d)
    ;;
  compose)
    DATA_DIR=/data
    LOG_DIR=
    OPS_HOST=
    REDIS_URL=redis://redis:6379
    ;;
  *)
    : "${DATA_DIR:=.data}"
    ;;
esac

case "${OPS_HOST:-}" in
  '' | 0.0.0.0 | ::) _host=127.0.0.1 ;;
  *:*) _host="[$OPS_HOST]" ;;
  *) _host=$OPS_HOST ;;
esac
# On Kubernetes: kubectl port-forward deployment/loyalty-gateway 9090
OPS=${OPS:-http://$_host:${OPS_PORT:-9090}}

log() {
  if [ -n "${LOG_DIR:-}" ]; then
    # shellcheck disable=SC2012 # The names are the service's own.
    ls -t "$LOG_DIR"/service.*.log* | head -n "${LOG_FILES:-1}" | xargs zcat -f
  else
    case "$WHERE" in
      kubernetes) kubectl logs --selector app=loyalty-gateway --tail=-1 --max-log-requests=100 --since="${SINCE:-1h}" ;;
      compose) docker compose logs --no-log-prefix --since "${SINCE:-1h}" gateway ;;
      systemd) journalctl -u "${UNIT:-loyalty-gateway}" -o cat --since "-${SINCE:-1h}" ;;
      *) cat "${LOG_FILE:?set LOG_FILE to the file to which the service writes}" ;;
    esac
  fi
}

fields() {
  awk -v names="$*" '
    BEGIN { count = split(names, name, " ") }
    {
      row = ""
      for (i = 1; i <= count; i++) {
        value = "-"
        if (match($0, "\"" name[i] "\":(\"([^\"\\\\]|\\\\.)*\"|[{][^}]*[}]|[^,}]*)"))
          value = substr($0, RSTART + length(name[i]) + 3, RLENGTH - length(name[i]) - 3)
        gsub(/^"|"$/, "", value)
        row = row (i > 1 ? "  " : "") value
      }
      print row
    }'
}

# The same without the password in the list of processes would need a file; redis-cli reads REDISCLI_AUTH, but no user.
redis() {
  case "${REDIS_URL:-}" in
    '') _redis_cli -s "$DATA_DIR/redis/redis.sock" "$@" ;;
    unix:*) _redis_cli -s "${REDIS_URL#unix:}" "$@" ;;
    *+sentinel://*) _redis_cli -u "$(_master)" "$@" ;;
    *,*) _redis_cli -c -u "$(_named "${REDIS_URL%%,*}")" "$@" ;;
    *) _redis_cli -u "$(_named "$REDIS_URL")" "$@" ;;
  esac
}

# An address with the password of REDIS_PASSWORD_FILE, or of the file that is named behind it. redis-cli takes a password
# without a user for that of a user without a name.
_named() {
  _url=$1
  _file=${2-${REDIS_PASSWORD_FILE:-}}
  if [ -n "$_file" ]; then
    _place=${_url#*://}
    _user=
    case "$_place" in *@*) _user=${_place%%@*} && _user=${_user%%:*} ;; esac
    _url="${_url%%://*}://$_user:$(tr -d '[:space:]' <"$_file" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g')@${_place#*@}"
  fi
  case "$_url" in
    *://:*@*) printf '%s' "${_url%%://*}://default:${_url#*://:}" ;;
    *) printf '%s' "$_url" ;;
  esac
}

# The address of the master that the Sentinels name. They may have users and passwords of their own.
_master() {
  _watchers=${REDIS_SENTINEL_URL:-$REDIS_URL}
  _watchers_file=${REDIS_SENTINEL_PASSWORD_FILE:-}
  [ -n "${REDIS_SENTINEL_URL:-}" ] || _watchers_file=${_watchers_file:-${REDIS_PASSWORD_FILE:-}}
  _scheme=${_watchers%%:*}
  _nodes=${_watchers#*://}
  _credentials=
  case "$_nodes" in *@*) _credentials=${_nodes%%@*}@ ;; esac
  _nodes=${_nodes#*@}
  _name=${REDIS_URL#*name=}
  for _node in $(printf '%s' "${_nodes%%[/?]*}" | tr , ' '); do
    _address=$(_named "${_scheme%+sentinel}://$_credentials$_node" "$_watchers_file")
    _found=$(_redis_cli -u "$_address" SENTINEL GET-MASTER-ADDR-BY-NAME "${_name%%&*}" | paste -s -d : -)
    case "$_found" in *[0-9]) break ;; esac
  done
  _scheme=${REDIS_URL%%+*}
  _credentials=
  case "${REDIS_URL#*://}" in *@*) _credentials=${REDIS_URL#*://} && _credentials=${_credentials%%@*}@ ;; esac
  _named "$_scheme://$_credentials$_found"
}

_redis_cli() {
  case "$WHERE" in
    kubernetes)
      kubectl run "redis-cli-$$" --rm -i --quiet --restart=Never --image=redis:7 --labels=app=redis-cli -- redis-cli --no-auth-warning "$@"
      ;;
    compose) docker compose exec -T redis redis-cli "$@" ;;
    *) redis-cli --no-auth-warning ${NODE_EXTRA_CA_CERTS:+--cacert "$NODE_EXTRA_CA_CERTS"} "$@" ;;
  esac
}

data() {
  case "$WHERE" in
    kubernetes) kubectl exec deployment/loyalty-gateway -- sh -c 'cd /data && exec "$@"' data "$@" ;;
    compose) docker compose exec -T gateway sh -c 'cd /data && exec "$@"' data "$@" ;;
    *) (cd "$DATA_DIR" && "$@") ;;
  esac
}
