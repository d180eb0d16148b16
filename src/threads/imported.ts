const imports = process.execArgv.filter((option) => option.startsWith('--import='));

/**
 * Options of every pool of threads. piscina loads a thread's code with `require`, and Node aborts the whole process where a thread is
 * terminated meanwhile (assertions in `InstantiateSync` and `CreateRequiredModuleFacade`); without `require` of ES modules, piscina
 * imports the code. Other options of the process are not inherited then, and a thread may not have those of V8.
 */
export const IMPORTED = { execArgv: [...imports, '--no-experimental-require-module'] };
