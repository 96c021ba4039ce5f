import type { ManagementPageBody } from '@galley/wire';
import type { PagePosition } from './page-position.ts';

const LIMIT = '100';

/** For lists that are short by nature, such as the sites of an account. */
export async function readAllPages<Item>(
  readPage: (position: PagePosition) => Promise<ManagementPageBody<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let position: PagePosition | undefined = { limit: LIMIT };
  while (position !== undefined) {
    const { data, next_cursor: cursor }: ManagementPageBody<Item> = await readPage(position);
    items.push(...data);
    position = cursor === null ? undefined : { limit: LIMIT, cursor };
  }
  return items;
}
