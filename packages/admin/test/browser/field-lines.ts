// The fields of the content type that is open in the panel.

import type { Locator, Page } from 'playwright-core';

/** The line of a field, which opens its form. */
export function fieldLine(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: new RegExp(`^${name} [a-z_]+ `) });
}

export async function openField(page: Page, name: string): Promise<Locator> {
  await fieldLine(page, name).click();
  const form = page.getByRole('form', { name, exact: true });
  await form.waitFor();
  return form;
}

export interface FieldOfApi {
  readonly handle: string;
  readonly options?: readonly unknown[];
}

/** As the management API has them. */
export async function readFields(page: Page): Promise<readonly FieldOfApi[]> {
  const { origin, pathname } = new URL(page.url());
  const response = await page.request.get(`${origin}${pathname.replace('/admin/', '/manage/v1/')}`);
  const type: { readonly fields: readonly FieldOfApi[] } = await response.json();
  return type.fields;
}
