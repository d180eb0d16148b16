import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePlace, type RedisAddress } from '../redis/address.ts';
import type { Dataset } from '../store/dataset.ts';

const FILE = 'dataset.json';

/**
 * What is remembered of the data outside of Redis, in `DATA_DIR`: the set that was there last, by environment and address, so
 * that a Redis elsewhere is a new one and not an empty one. A folder that cannot be written remembers nothing.
 */
export class DatasetFile {
  readonly #folder: string;
  readonly #key: string;

  constructor(dataDir: string, environment: string, address: RedisAddress) {
    [this.#folder, this.#key] = [dataDir, `${environment} ${nameOf(address)}`];
  }

  /** Undefined when nothing is remembered. */
  read(): Dataset | undefined {
    const dataset = this.#readAll()[this.#key];
    return typeof dataset?.name === 'string'
      ? { name: dataset.name, hasMembers: dataset.hasMembers === true }
      : undefined;
  }

  /** Never throws; processes of one folder write the same. */
  write(dataset: Dataset): void {
    const path = join(this.#folder, FILE);
    const temporary = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(temporary, `${JSON.stringify({ ...this.#readAll(), [this.#key]: dataset }, null, 2)}\n`);
      renameSync(temporary, path);
    } catch {
      // This process remembers it until it ends.
    }
  }

  #readAll(): Record<string, Partial<Dataset>> {
    try {
      return JSON.parse(readFileSync(join(this.#folder, FILE), 'utf8')) as Record<string, Partial<Dataset>>;
    } catch {
      return {};
    }
  }
}

/** The address without user and password. */
function nameOf(address: RedisAddress): string {
  switch (address.kind) {
    case 'socket':
      return address.path;
    case 'single':
      return `${describePlace(address.node)}/${address.access.database}`;
    case 'sentinel':
      return `${address.nodes.map(describePlace).toSorted().join(',')} ${address.name}`;
    case 'cluster':
      return address.nodes.map(describePlace).toSorted().join(',');
  }
}
