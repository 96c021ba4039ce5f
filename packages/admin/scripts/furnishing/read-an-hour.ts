import type { TestService } from '../../../server/test/support/service.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './create-keys.ts';

const MINUTES = 60;
const ADDRESSES = ['content?limit=12', 'content?content_type=article', 'content/c_paper_weight', 'content/c_riso'];
/** One in this many reads is for a URL that nobody has requested before. */
const FIRST_EVERY = 9;

/** Simulates an hour of traffic, and advances the clock by that hour. */
export async function readAnHour(
  { url }: TestService,
  clock: Clock,
  { keyToken, managementToken }: Credentials,
): Promise<void> {
  const headers = { authorization: `Bearer ${keyToken}`, 'x-service-site': 's_demo' };
  let count = 0;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    clock.turnOn(1);
    const reads = Math.round(15 + 7 * Math.sin(minute / 8) + 4 * Math.cos(minute / 1.7));
    for (let read = 0; read < reads; read += 1) {
      count += 1;
      const address = ADDRESSES[count % ADDRESSES.length];
      const query = count % FIRST_EVERY === 0 ? `?from=letter-${count}` : '';
      await readWhole(`${url}/api/v1/${query === '' ? address : `content/c_spine${query}`}`, headers);
    }
    // The service updates its counts when somebody requests them.
    await readWhole(`${url}/manage/v1/traffic`, { authorization: `Bearer ${managementToken}` });
  }
}

async function readWhole(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`GET ${url} returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
