/** Tells what the client could not do and nobody waits for, with the calculations that it concerns. */
export type TellFault = (detail: string, calculationIds: readonly string[]) => void;

/** Faults are never silent: without a callback for them, or with one that throws, they are warnings of the process. */
export function createTellFault(onFault: TellFault | undefined): TellFault {
  return (detail, calculationIds) => {
    try {
      if (onFault) return void onFault(detail, calculationIds);
    } catch {
      // It goes where those without a callback go.
    }
    const names = calculationIds.length > 0 ? `: ${calculationIds.join(', ')}` : '';
    process.emitWarning(detail + names, 'LoyaltyWarning');
  };
}
