import type { ManagementPageBody } from '@galley/wire';

/** For lists that are short by nature, such as the sites of an account. */
export async function readAllPages<Item>(
  readPage: (cursor: string | undefined) => Promise<ManagementPageBody<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    items.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
