import type { RedisAccess, RedisAddress, RedisNode } from './address.ts';
import { type RedisTrouble, troubleOfReply } from './cause.ts';
import { passwordOf } from './credentials.ts';
import { Dialogue, describePlace, found, type ServerPlace, TroubleFound } from './dialogue.ts';
import { type Reply, ReplyError } from './reply-reader.ts';

const NO_ACCESS: RedisAccess = { username: undefined, password: undefined, database: 0, isTls: false };

/**
 * Finds out why the Redis of this address cannot be used, by trying the steps of a connection one by one. Returns
 * undefined when all steps succeed. Never throws; takes a few seconds at most.
 */
export async function diagnose(address: RedisAddress): Promise<RedisTrouble | undefined> {
  switch (address.kind) {
    case 'socket':
      return diagnoseServer({ path: address.path }, NO_ACCESS);
    case 'single':
      return diagnoseServer(address.node, address.access);
    case 'sentinel':
      return diagnoseSentinels(address);
    case 'cluster':
      return diagnoseCluster(address.nodes, address.access);
  }
}

function diagnoseServer(place: ServerPlace, access: RedisAccess): Promise<RedisTrouble | undefined> {
  return converse(place, access, async (dialogue) => {
    if (access.database !== 0) {
      const selected = await dialogue.ask('SELECT', String(access.database));
      if (selected instanceof ReplyError) throw refusedDatabase(dialogue, access.database, selected);
    }
    await expectPong(dialogue);
  });
}

/** Asks the Sentinels for the master, and then diagnoses the master; one Sentinel that knows it is enough. */
async function diagnoseSentinels({
  nodes,
  name,
  access,
  sentinelAccess,
}: Extract<RedisAddress, { kind: 'sentinel' }>): Promise<RedisTrouble | undefined> {
  let master: RedisNode | undefined;
  const troubles = await Promise.all(
    nodes.map((node) =>
      converse(node, sentinelAccess, async (dialogue) => {
        const named = accepted(dialogue, await dialogue.ask('SENTINEL', 'get-master-addr-by-name', name));
        if (named === 'not known') {
          throw found('not_sentinel', `${dialogue.where} is no Sentinel: name Sentinels in REDIS_URL`);
        }
        if (!Array.isArray(named)) {
          throw found('wrong_sentinel_name', `${dialogue.where} knows no master of the name "${name}"`);
        }
        master = { host: String(named[0]), port: Number(named[1]) };
      }),
    ),
  );
  if (master) return diagnoseServer(master, access);
  return troubles.find((trouble) => trouble?.cause === 'wrong_sentinel_name') ?? troubles.find(Boolean);
}

/** Diagnoses every node. One node that reports a working cluster is enough, because the client tries all of them. */
async function diagnoseCluster(nodes: readonly RedisNode[], access: RedisAccess): Promise<RedisTrouble | undefined> {
  const troubles = await Promise.all(
    nodes.map((node) =>
      converse(node, access, async (dialogue) => {
        await expectPong(dialogue);
        const info = accepted(dialogue, await dialogue.ask('CLUSTER', 'INFO'));
        if (info === 'not known') {
          const detail = `${dialogue.where} is no cluster: name a single server alone in REDIS_URL`;
          throw found('not_cluster', detail);
        }
        if (!String(info).includes('cluster_state:ok')) {
          throw found('cluster_down', `${dialogue.where} says that the cluster is down`);
        }
      }),
    ),
  );
  if (troubles.some((trouble) => trouble === undefined)) return undefined;
  return troubles.find((trouble) => trouble?.cause === 'cluster_down') ?? troubles[0];
}

/** Connects, authenticates, then runs `talk`. Returns the trouble found, if any. */
async function converse(
  place: ServerPlace,
  access: RedisAccess,
  talk: (dialogue: Dialogue) => Promise<void>,
): Promise<RedisTrouble | undefined> {
  let dialogue: Dialogue | undefined;
  try {
    dialogue = await Dialogue.open(place, access.isTls);
    await authenticate(dialogue, access);
    await talk(dialogue);
    return undefined;
  } catch (error) {
    if (!(error instanceof TroubleFound)) return { cause: 'unknown', detail: 'the cause could not be found out' };
    return (await findOtherLanguage(place, access.isTls, error.trouble)) ?? error.trouble;
  } finally {
    dialogue?.close();
  }
}

/** Sends the password. As in the client, a server without a password accepts us all the same. */
async function authenticate(dialogue: Dialogue, access: RedisAccess): Promise<void> {
  const [username, password] = [access.username, passwordOf(access)];
  if (password === undefined) return;
  const reply = await dialogue.ask('AUTH', ...(username === undefined ? [] : [username]), password);
  if (!(reply instanceof ReplyError)) return;
  if (/without any password|no password is set|wrong number of arguments/.test(reply.message)) return;
  throw troubleFrom(dialogue, reply);
}

async function expectPong(dialogue: Dialogue): Promise<void> {
  const reply = await dialogue.ask('PING');
  if (!(reply instanceof ReplyError)) return;
  const refused = troubleFrom(dialogue, reply);
  throw refused.trouble.cause === 'loading' ? found('loading', await describeLoading(dialogue)) : refused;
}

/** The progress of a server that is loading its file: `43 %, about 12 s left`. The server may refuse to tell. */
async function describeLoading(dialogue: Dialogue): Promise<string> {
  const info = await dialogue.ask('INFO', 'persistence');
  const figureOf = (name: string) => new RegExp(`^${name}:([\\d.]+)`, 'm').exec(String(info))?.[1];
  const [percent, seconds] = [figureOf('loading_loaded_perc'), figureOf('loading_eta_seconds')];
  if (percent === undefined) return 'its data';
  const left = seconds === undefined ? '' : `, about ${seconds} s left`;
  return `${Math.floor(Number(percent))} %${left}`;
}

/** The reply, or `not known` for a command that this server lacks. Throws any other error reply as trouble. */
function accepted(dialogue: Dialogue, reply: Reply | ReplyError): Reply | 'not known' {
  if (!(reply instanceof ReplyError)) return reply;
  if (/^ERR (unknown command|This instance has cluster support disabled)/i.test(reply.message)) return 'not known';
  throw troubleFrom(dialogue, reply);
}

function troubleFrom({ where }: Dialogue, { message }: ReplyError): TroubleFound {
  return new TroubleFound(troubleOfReply(where, message));
}

function refusedDatabase(dialogue: Dialogue, database: number, reply: ReplyError): TroubleFound {
  const refused = troubleFrom(dialogue, reply);
  if (refused.trouble.cause !== 'unknown') return refused;
  return found('wrong_database', `${dialogue.where} has no database ${database}`);
}

/**
 * Tries the connection with TLS switched the other way. A TLS server closes a plain connection without an answer, and a
 * plain server waits for the rest of a supposed command, so the first try cannot tell either from a server that hangs.
 * This try sends no credential.
 */
async function findOtherLanguage(
  place: ServerPlace,
  isTls: boolean,
  { cause }: RedisTrouble,
): Promise<RedisTrouble | undefined> {
  if ('path' in place) return undefined;
  if (!isTls && ['closed', 'no_answer', 'not_redis'].includes(cause)) return findTls(place);
  return isTls && cause === 'tls_failed' ? findPlain(place) : undefined;
}

async function findPlain(place: RedisNode): Promise<RedisTrouble | undefined> {
  let dialogue: Dialogue | undefined;
  try {
    dialogue = await Dialogue.open(place, false);
    await dialogue.ask('PING');
    return { cause: 'tls_not_offered', detail: `${dialogue.where} speaks no TLS: redis:// instead of rediss://` };
  } catch (error) {
    return error instanceof TroubleFound && error.trouble.cause === 'not_redis' ? error.trouble : undefined;
  } finally {
    dialogue?.close();
  }
}

/** Tests whether the server speaks TLS. What is wrong with a certificate has been said in TLS. */
async function findTls(place: RedisNode): Promise<RedisTrouble | undefined> {
  try {
    (await Dialogue.open(place, true)).close();
  } catch (error) {
    const cause = error instanceof TroubleFound ? error.trouble.cause : 'unknown';
    if (cause !== 'tls_certificate' && cause !== 'tls_client_certificate') return undefined;
  }
  return { cause: 'tls_required', detail: `${describePlace(place)} speaks TLS: rediss:// instead of redis://` };
}
