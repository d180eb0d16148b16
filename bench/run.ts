/**
 * `npm run bench`: starts the contestants, shows that they answer alike, measures them in turn, and writes what came out
 * to bench/results/. See bench/README.md.
 */
import '../scripts/own-programs.mjs';
import { runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { compareContestants } from './equality/compare.ts';
import { Generator } from './generator/generator.ts';
import { type BenchArguments, benchCommand, type Options, readOptions } from './options.ts';
import { provideBenchPackages } from './packages.ts';
import { describeCircumstances, lookAround } from './report/circumstances.ts';
import { figuresOf, goalTable } from './report/goals.ts';
import { visitParagraph, visitTable } from './report/visit.ts';
import { toText, writeResults } from './report/write.ts';
import { chooseScenarios } from './scenarios/register.ts';
import type { Finished } from './scenarios/scenario.ts';

const run = async (names: readonly string[], given: BenchArguments) => {
  await main(readOptions(names, given));
  return 0;
};
await runCommandLine(benchCommand().action(running('bench', run, 1)), 'bench', process.argv.slice(2));

async function main(options: Options): Promise<void> {
  const scenarios = chooseScenarios(options.scenarios);
  await provideBenchPackages();
  const around = lookAround(options);
  for (const line of describeCircumstances(around)) console.log(line);
  if (options.isVisit && !options.isShort)
    console.log('this takes about nine minutes; `npm run bench -- --all` half an hour');
  say('comparing the answers of all contestants');
  const { requests, differences } = await compareContestants(options.contestants);
  if (differences.length > 0) throw new Error(`the contestants do not answer alike:\n${differences.join('\n')}`);
  say(`${requests} requests were answered alike`);

  const generator = new Generator();
  const finished: Finished[] = [];
  try {
    for (const scenario of scenarios) {
      console.log(`\n── ${scenario.name}: ${scenario.about}`);
      const report = await scenario.run({ options, generator, say });
      finished.push({ scenario, report });
      console.log(`\n${report.tables.map(toText).join('\n')}${report.note ?? ''}`);
      // The results are written after every scenario, so that an aborted run keeps them.
      writeResults(around, requests, finished);
    }
  } finally {
    generator.stop();
  }
  const folder = writeResults(around, requests, finished);
  if (options.isVisit) {
    console.log(`\n${toText(visitTable(finished))}\n${visitParagraph(around, figuresOf(finished))}\n`);
    console.log(`the picture: ${folder}/latency-percentiles.svg; report and every figure: ${folder}`);
    return;
  }
  console.log(`\n${toText(goalTable(figuresOf(finished)))}`);
  console.log(`report and every figure: ${folder}`);
}

function say(line: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
}
