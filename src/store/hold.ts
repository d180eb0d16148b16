/** Units of limited benefits that an open calculation keeps for its sale. */
export interface Hold {
  readonly calculationId: string;
  readonly deadlineMs: number;
  /** Units held per usage key. */
  readonly units: ReadonlyMap<string, number>;
}

export function parseHold(calculationId: string, text: string): Hold {
  const [deadline, ...uses] = text.split(' ');
  const units = uses.map((use) => {
    const match = /^(.+)=(\d+)\/\d+$/.exec(use);
    if (!match) throw new Error('A hold is not of its form.');
    return [match[1] as string, Number(match[2])] as const;
  });
  return { calculationId, deadlineMs: Number(deadline), units: new Map(units) };
}
