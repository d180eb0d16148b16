import type { Service } from './service.ts';

export interface Readyz {
  readonly httpStatus: number;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, string>>;
}

/** What GET /readyz says, with its status. */
export async function readyzOf({ opsUrl }: Pick<Service, 'opsUrl'>): Promise<Readyz> {
  const answer = await fetch(`${opsUrl}/readyz`);
  return { ...((await answer.json()) as Omit<Readyz, 'httpStatus'>), httpStatus: answer.status };
}
