// Test steps for the fields of the content type that is open in the panel.

import type { Locator, Page } from 'playwright-core';

/** A field's row, which opens its form. */
export function fieldLine(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: new RegExp(`^${name} [a-z_]+ `) });
}

/** Opens the empty form for a new field. */
export async function beginField(page: Page, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click();
  return page.getByRole('form', { name: `New field: ${kind}` });
}

/** @param set fills in settings other than the name */
export async function addField(
  page: Page,
  kind: string,
  name: string,
  set: (form: Locator) => Promise<void> = async () => {},
): Promise<void> {
  const form = await beginField(page, kind);
  await form.getByLabel('Name').fill(name);
  await set(form);
  await form.getByRole('button', { name: 'Add field' }).click();
  await form.waitFor({ state: 'detached' });
  await fieldLine(page, name).waitFor();
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

/** The fields as the management API returns them. */
export async function readFields(page: Page): Promise<readonly FieldOfApi[]> {
  const { origin, pathname } = new URL(page.url());
  const response = await page.request.get(`${origin}${pathname.replace('/admin/', '/manage/v1/')}`);
  const type: { readonly fields: readonly FieldOfApi[] } = await response.json();
  return type.fields;
}
