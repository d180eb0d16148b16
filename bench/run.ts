/**
 * `npm run bench`: starts the contestants, shows that they answer alike, measures them in turn, and writes what came out
 * to bench/results/. See bench/README.md.
 */
import '../scripts/own-programs.mjs';
import { runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { type BenchArguments, benchCommand, type Options, readOptions } from './options.ts';
import { provideBenchPackages } from './packages.ts';
import { chooseScenarios } from './scenarios/register.ts';
import type { Scenario, Stage } from './scenarios/scenario.ts';

const run = async (names: readonly string[], given: BenchArguments) => {
  await main(readOptions(names, given));
  return 0;
};
await runCommandLine(benchCommand().action(running('bench', run, 1)), 'bench', process.argv.slice(2));

async function main(options: Options): Promise<void> {
  const scenarios = chooseScenarios(options.scenarios);
  await provideBenchPackages();
  // The packages that these modules import are installed only now.
  const { compareContestants } = await import('./equality/compare.ts');
  const { Generator } = await import('./generator/remote.ts');
  const { describeCircumstances, lookAround } = await import('./report/circumstances.ts');
  const { goalTable } = await import('./report/goals.ts');
  const { toText } = await import('./report/table.ts');
  const { visitParagraph, visitTable } = await import('./report/visit.ts');
  const { figuresOf, writeResults } = await import('./report/write.ts');

  const around = lookAround(options);
  for (const line of describeCircumstances(around)) console.log(line);
  if (options.isVisit && !options.isShort)
    console.log('this takes about nine minutes; `npm run bench -- --all` half an hour');
  say('comparing the answers of all contestants');
  const { requests, differences } = await compareContestants(options.contestants);
  if (differences.length > 0) throw new Error(`the contestants do not answer alike:\n${differences.join('\n')}`);
  say(`${requests} requests were answered alike`);

  const generator = new Generator();
  const finished = [];
  try {
    for (const scenario of scenarios) {
      const report = await runScenario(scenario, { options, generator, say });
      finished.push({ scenario, report });
      console.log(`\n${report.tables.map(toText).join('\n')}${report.notes.join('\n')}`);
      // The results are written after every scenario, so that an aborted run keeps them.
      await writeResults(around, requests, finished);
    }
  } finally {
    generator.stop();
  }
  const folder = await writeResults(around, requests, finished);
  if (options.isVisit) {
    console.log(`\n${toText(visitTable(finished))}\n${visitParagraph(around, figuresOf(finished))}\n`);
    console.log(`the picture: ${folder}/latency-percentiles.svg; report and every figure: ${folder}`);
    return;
  }
  console.log(`\n${toText(goalTable(figuresOf(finished)))}`);
  console.log(`report and every figure: ${folder}`);
}

function runScenario(scenario: Scenario, stage: Stage) {
  console.log(`\n── ${scenario.name}: ${scenario.about}`);
  return scenario.run(stage);
}

function say(line: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
}
