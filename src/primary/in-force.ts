import type { ReloadOutcome } from '../../packages/console/src/admin/administration.ts';
import type { GivenConfiguration } from '../process/messages.ts';
import { warnOfSecrets } from '../process/secrets.ts';
import { findChanges } from '../programme/changes.ts';
import type { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { createKeys } from '../store/keys.ts';
import { writeMembers } from '../store/member-writes.ts';
import type { Store } from '../store/store.ts';
import { OWN_BUILD } from '../telemetry/build.ts';
import type { Logger } from '../telemetry/log.ts';
import { type Configuration, reloadConfiguration } from './configuration.ts';
import type { GatewayProcess, NoAnswer } from './gateway-process.ts';

/** How long a gateway may take to put a configuration in force; new threads on a busy machine take seconds. */
const PATIENCE_MS = 30_000;

/** The configuration in force and the store that belongs to it. */
export interface InForce extends Configuration {
  readonly store: Store;
}

/** The configuration in force: what gateways start with, and what a reload gives to all of them. */
export class ConfigurationInForce {
  readonly #settings: Settings;
  readonly #connection: Connection;
  readonly #log: Logger;
  #inForce: InForce;

  /** Writes the members of the configuration into Redis whenever it becomes ready. */
  constructor(settings: Settings, connection: Connection, loaded: Configuration, log: Logger) {
    [this.#settings, this.#connection, this.#log] = [settings, connection, log];
    this.#inForce = this.#compose(loaded);
    connection.on('ready', () => void this.#writeMembers());
  }

  get inForce(): InForce {
    return this.#inForce;
  }

  get given(): GivenConfiguration {
    return givenOf(this.#inForce);
  }

  /**
   * Reads the files again, and has every gateway put them in force; a file with an error reaches none. `refused` when each gateway
   * has refused. A gateway that is ending takes the configuration as well, for its open connections, and nothing depends on
   * its answer. Throws with one line that names an error in the files.
   */
  async apply(gateways: () => readonly GatewayProcess[]): Promise<ReloadOutcome> {
    const next = await reloadConfiguration(this.#settings, this.#inForce.environment.name);
    const asked = await askAll(gateways, givenOf(next));
    const staying = [...asked]
      .filter(([gateway]) => !gateway.isLeaving)
      // They are named in their order, whoever answers first.
      .toSorted(([one], [other]) => one.number - other.number);
    const faults = staying.flatMap(([gateway, answer]) => {
      const fault = faultOf(answer);
      return fault === undefined ? [] : [`process ${gateway.number} ${fault}`];
    });
    const reason = faults.join('; ');
    const isRefused = staying.every(([, answer]) => typeof answer !== 'string' && answer.reason !== undefined);
    if (isRefused) return { outcome: 'refused', reason };
    const changes = findChanges(this.#inForce.checked.file, next.checked.file);
    this.#inForce = this.#compose(next);
    warnOfSecrets(next.secrets, this.#log);
    await this.#writeMembers();
    const { version } = next.environment;
    if (faults.length > 0) return { outcome: 'incomplete', configuration: version, reason };
    return { outcome: 'reloaded', configuration: version, ...changes };
  }

  #compose(configuration: Configuration): InForce {
    const { environment } = configuration;
    const keys = createKeys(environment.name);
    return { ...configuration, store: { connection: this.#connection, keys, periods: environment.calculation } };
  }

  /** The configuration is in force without it as well; its members are written when Redis is ready again. */
  async #writeMembers(): Promise<void> {
    const { store, environment } = this.#inForce;
    await writeMembers(store, environment.members).catch((error: Error) => {
      this.#log.warn({ reason: error.message }, 'members not written');
    });
  }
}

type ConfigurationAnswer = NoAnswer | { readonly reason?: string };

/** Asks every gateway, also one that is started meanwhile, on the configuration before. */
async function askAll(
  gateways: () => readonly GatewayProcess[],
  configuration: GivenConfiguration,
): Promise<ReadonlyMap<GatewayProcess, ConfigurationAnswer>> {
  const answers = new Map<GatewayProcess, ConfigurationAnswer>();
  const left = () => gateways().filter((gateway) => !answers.has(gateway));
  for (let asked = left(); asked.length > 0; asked = left()) {
    const ask = async (gateway: GatewayProcess): Promise<void> => {
      answers.set(gateway, await gateway.ask({ kind: 'configuration', configuration }, PATIENCE_MS));
    };
    await Promise.all(asked.map(ask));
  }
  return answers;
}

function givenOf({ source, checked, secrets }: Configuration): GivenConfiguration {
  return { build: OWN_BUILD, source, checked, secrets };
}

/** Why a gateway has not put the configuration in force; undefined when it has. */
function faultOf(answer: ConfigurationAnswer): string | undefined {
  if (answer === 'ended') return 'has ended; it starts again on the configuration in force';
  if (answer === 'silent') return 'does not answer';
  return answer.reason === undefined ? undefined : `refused: ${answer.reason}`;
}
