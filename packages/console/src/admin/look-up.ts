import { isUuid, isUuidInAnyCase } from '@loyalty/contract/headers';
import { explainPast } from '../../../../src/administration/past-basket.ts';
import { scanKeys } from '../../../../src/redis/key-scan.ts';
import { findCalculation } from '../../../../src/store/find-calculation.ts';
import { readMember } from '../../../../src/store/members.ts';
import { membersOfCard } from '../../../../src/store/merged.ts';
import { readReceipt } from '../../../../src/store/receipts.ts';
import type { StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import type { RefusalNote } from '../../../../src/telemetry/recent-refusals.ts';
import type { Administration, Current, FoundRequest } from './administration.ts';
import { describeCalculation, describeKept } from './calculations.ts';
import { InvalidRequest, notAllowed } from './invalid-request.ts';
import { type AdminRoute, answered, refused } from './route.ts';
import { readUsageKey } from './uses.ts';

const MAX_CHARACTERS = 64;
const KEPT_REQUESTS = 'the last 20,000 answered and 1,000 refused of each process';
/** Of a member's calculations the last ones are told. */
const MOST_TOLD = 20;

/** `GET /admin/look-up?id=…`: the sales behind whatever number a guest or a colleague has. */
export const lookUpRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/look-up',
  role: 'read',
  operationId: 'lookUp',
  summary: 'Why a past sale was priced as it was',
  description:
    'Finds calculations by the receipt number of their sale event, by their own ID, by a loyalty ID or by the request ID of one of the last 20,000 answered calls of each process, and refused calls by calculation or request ID. Each calculation is told as a story and priced again, by the configuration, the member and the limits of its time, line by line and benefit by benefit, for as long as it is kept (`calculation.retentionDays`, of sold baskets `returns.days`). It holds no loyalty ID. Of a loyalty ID the last 20 calculations are told, after a search through all keys.',
  query: { id: 'A receipt number (`transactionId`), calculation ID, request ID or loyalty ID.' },
  answerSchema: 'LookUp',
  failures: {
    invalid: `\`id\` is missing, or longer than ${MAX_CHARACTERS} characters.`,
    notFound: 'Nothing is known under it.',
  },
  async handle(administration, { query }) {
    const id = query.get('id') ?? '';
    const characters = [...id].length;
    if (characters === 0 || characters > MAX_CHARACTERS) {
      throw new InvalidRequest(`id: found ${characters} characters, allowed: 1 to ${MAX_CHARACTERS}`);
    }
    const current = administration.current();
    const request = await findByRequest(administration, id);
    const records = await findCalculations(current, id, request);
    const refusals = findRefusals(administration, id, request);
    const audit = {
      calculations: records.map(({ calculationId }) => calculationId),
      members: [...new Set(records.flatMap(({ member }) => member ?? []))],
    };
    if (records.length === 0 && refusals.length === 0) {
      const kept = `${describeKept(current.store.periods)}, and of requests by their own ID ${KEPT_REQUESTS}`;
      return refused('notFound', `Nothing is known under ${JSON.stringify(id)}: ${kept}.`, audit);
    }
    const calculations = await Promise.all(records.map((record) => tell(current, record)));
    return answered({ calculations, refusals: refusals.map(describeRefusal) }, { audit });
  },
};

/** `GET /admin/requests/{requestId}`: what became of one call, for whoever sent it. */
export const readRequestRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/requests/{requestId}',
  role: 'read',
  alsoFor: ['vendor', 'pos'],
  operationId: 'readRequest',
  summary: 'What became of a call',
  description: `By the \`X-Request-Id\` that was sent, or that the answer had: why the call was refused, or its calculation with its story up to now. Known are ${KEPT_REQUESTS}. It tells neither a loyalty ID nor why a basket has its price. A request ID is a random number, so that only its caller can name it.`,
  answerSchema: 'FoundRequest',
  failures: { invalid: 'No request ID.', notFound: 'No such request is known any more, or it never arrived.' },
  async handle(administration, { parameters }) {
    const { requestId = '' } = parameters;
    if (!isUuidInAnyCase(requestId)) {
      throw notAllowed('requestId', requestId, 'a UUID');
    }
    const { calculationId, refusal } = await findByRequest(administration, requestId);
    const { store } = administration.current();
    const record = calculationId === undefined ? undefined : await findCalculation(store, calculationId);
    const audit = { found: requestId, calculationId, member: record?.member };
    if (!refusal && !record) {
      return refused('notFound', `Request ${requestId} is not known: known are ${KEPT_REQUESTS}.`, audit);
    }
    return answered(
      {
        requestId,
        ...(refusal && { refusal: describeRefusal(refusal) }),
        ...(record && { calculation: await describeCalculation(administration.current(), record) }),
      },
      { audit },
    );
  },
};

/** The calculations in order of time. */
async function findCalculations(current: Current, id: string, request: FoundRequest): Promise<StoredCalculation[]> {
  const { store } = current;
  const [byReceipt, byMember] = await Promise.all([readReceipt(store, id), findByMember(current, id)]);
  const named = [uuidOf(id), request.calculationId, ...byReceipt, ...byMember];
  const calculationIds = new Set(named.filter((found) => found !== undefined));
  const records = await Promise.all([...calculationIds].map((calculationId) => findCalculation(store, calculationId)));
  return records
    .filter((record) => record !== undefined)
    .toSorted((one, other) => (one.answeredAtMs ?? 0) - (other.answeredAtMs ?? 0))
    .slice(-MOST_TOLD);
}

function uuidOf(id: string): string | undefined {
  return isUuid(id.toLowerCase()) ? id.toLowerCase() : undefined;
}

/** A request ID is kept as its caller wrote it. */
async function findByRequest(administration: Administration, id: string): Promise<FoundRequest> {
  const uuid = uuidOf(id);
  if (uuid === undefined) return {};
  const found = await Promise.all([...new Set([id, uuid])].map((way) => administration.findRequest(way)));
  return found.find(({ calculationId, refusal }) => calculationId !== undefined || refusal !== undefined) ?? {};
}

/** Searches for a member's calculations, if the ID is a member's. */
async function findByMember({ environment, store }: Current, loyaltyId: string): Promise<string[]> {
  const found: string[] = [];
  for (const { programmeId } of environment.programmes) {
    const members = await membersOfCard(store, programmeId, loyaltyId);
    const { member } = await readMember(store, { token: members[0]!, programmeId, loyaltyId }, false);
    if (!member && !environment.findMember(programmeId, loyaltyId)) continue;
    for (const token of members) {
      const form = store.keys.calculation(token, '*');
      for await (const { keys } of scanKeys(store.connection, form)) {
        found.push(...keys.map((key) => key.slice(form.length - 1)));
      }
    }
  }
  return found;
}

async function tell(current: Current, record: StoredCalculation) {
  const calculation = await describeCalculation(current, record);
  const past = await explainPast(current, record);
  if (typeof past === 'string') return { calculation, notExplained: past };
  const { circumstances } = past;
  const left = circumstances.left.map(({ usageKey, ...units }) => ({ ...readUsageKey(usageKey), ...units }));
  return { calculation, past: { ...past, circumstances: { ...circumstances, left } } };
}

function findRefusals({ refusals }: Administration, id: string, { refusal }: FoundRequest): RefusalNote[] {
  const listed = refusals().filter(({ calculationId, requestId }) => calculationId === id || requestId === id);
  const isListed = refusal === undefined || listed.some(({ requestId }) => requestId === refusal.requestId);
  return isListed ? listed : [refusal, ...listed];
}

function describeRefusal({ atMs, count: _count, ...note }: RefusalNote) {
  return { at: new Date(atMs).toISOString(), ...note };
}
