import { Counter, Gauge, type Registry } from 'prom-client';
import type { AnswerCache } from './answer-cache.ts';

/** Read from the cache when somebody looks, so that no request pays for them. */
export function registerCacheMetrics(registry: Registry, cache: AnswerCache): void {
  const registers = [registry];
  new Counter({
    name: 'galley_cache_answers_total',
    help: 'Published answers, by whether they came from the answer cache.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, cache.figures.hits);
      this.inc({ result: 'miss' }, cache.figures.misses);
    },
  });
  new Gauge({
    name: 'galley_cache_entries',
    help: 'Answers in the cache.',
    registers,
    collect() {
      this.set(cache.figures.entries);
    },
  });
  new Gauge({
    name: 'galley_cache_bytes',
    help: 'Memory that the answers in the cache take, about.',
    registers,
    collect() {
      this.set(cache.figures.bytes);
    },
  });
  new Gauge({
    name: 'galley_cache_limit_bytes',
    help: 'Memory that the cache may take (GALLEY_CACHE_MB).',
    registers,
    collect() {
      this.set(cache.figures.mostBytes);
    },
  });
  new Gauge({
    name: 'galley_site_generation',
    help: 'The generation of each site that was read, as of the last answer made for it. It moves with every change to a public answer; drafts do not move it.',
    labelNames: ['site'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const [site, generation] of cache.generations) this.set({ site }, generation);
    },
  });
}
