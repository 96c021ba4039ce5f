// npm run bench:images: uploads pictures to a service and measures how fast it transforms and serves them. It compares the results
// with bare sharp, ipx and node:http.

import sharp from 'sharp';
import { runBenchmark, tell } from '../benchmark-command.ts';
import { runGalley } from '../galley-process.ts';
import { chooseLoad } from '../load/choose-load.ts';
import { writeFigures } from '../report/figure-blocks.ts';
import { describeMachine, findReportFile, writeReport } from '../report/report-file.ts';
import { renderTable } from '../report/table.ts';
import type { Scratch } from '../scratch.ts';
import { judgeImages } from './judge-images.ts';
import { measureImages } from './measure-images.ts';
import { IMAGES_USAGE, type ImageOptions, parseImageOptions } from './options.ts';
import { openPictureSite } from './picture-site.ts';
import { IPX_VERSION } from './start-processes.ts';

async function bench(options: ImageOptions, scratch: Scratch): Promise<void> {
  const startedAt = new Date();
  const machine = describeMachine();
  const load = chooseLoad(scratch, options.connections, undefined);
  const site = await openPictureSite(scratch, tell);
  const images = await measureImages(site, { scratch, load, options, tell });
  const verdicts = judgeImages(images);
  process.stdout.write(`\n${renderTable(verdicts, false)}`);
  const isRecorded = !options.isQuick && !options.isPartial;
  const out = options.out ?? (isRecorded ? findReportFile('images', startedAt) : undefined);
  if (out === undefined) return;
  const { rounds, seconds, connections, widths, originals } = options;
  const report = {
    kind: 'images',
    date: startedAt.toISOString(),
    command: 'npm run bench:images',
    machine,
    versions: {
      Galley: (await runGalley(scratch, 'sqlite:none.db', ['--version'])).output.trim(),
      'Node.js': process.version,
      sharp: sharp.versions.sharp,
      libvips: sharp.versions.vips,
      ipx: IPX_VERSION,
      'load by': load.tool,
    },
    method: { rounds, seconds, connections, widths, originals },
    verdicts,
    images,
  } as const;
  tell(`results are in ${writeReport(out, report, []).join(', ')}`);
  if (options.writesDocs) writeFigures(out);
}

await runBenchmark({ usage: IMAGES_USAGE, parse: parseImageOptions, run: bench });
