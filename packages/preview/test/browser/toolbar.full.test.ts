import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPreview, openWorkshop, type Workshop } from './open-preview.ts';

const SHOW = `
  const show = (options) => preview.showToolbar({ panelUrl: 'https://cms.example/', siteId: 's_demo', contentId: 'c_1', leaveUrl: '/leave', ...options });
  window.show = show;
  window.toolbar = show();`;

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop?.[Symbol.asyncDispose]());

test('a page in a tab gets a toolbar with Edit and Leave preview, until it is removed', async () => {
  await using preview = await openPreview(workshop, { body: '<p>Text</p>', script: SHOW, isTab: true });
  const toolbar = preview.page.getByRole('navigation', { name: 'Preview' });
  expect(await toolbar.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(
    'https://cms.example/admin/sites/s_demo/content/c_1',
  );
  expect(await toolbar.getByRole('link', { name: 'Leave preview' }).getAttribute('href')).toBe(
    `${workshop.website}/leave`,
  );
  expect(preview.complaints).toEqual([]);
  await preview.page.evaluate('toolbar.remove()');
  expect(await toolbar.count()).toBe(0);
});

test('a page in a frame gets no toolbar', async () => {
  await using preview = await openPreview(workshop, { body: '<p>Text</p>', script: SHOW });
  expect(await preview.page.getByRole('navigation').count()).toBe(0);
});

test.each([
  ["{ panelUrl: 'https://cms.example/admin' }", 'https://cms.example/admin/sites/s_demo/content/c_1'],
  ["{ panelUrl: 'https://example.com/cms/admin/' }", 'https://example.com/cms/admin/sites/s_demo/content/c_1'],
  ["{ contentId: '../x' }", 'https://cms.example/admin/sites/s_demo/content/..%2Fx'],
])('with %s the link is %s', async (options, href) => {
  await using preview = await openPreview(workshop, { body: '', script: SHOW, isTab: true });
  await preview.page.evaluate(`toolbar.remove(); show(${options}); 0`);
  expect(await preview.page.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(href);
});

test.each([
  ["{ leaveUrl: 'javascript:alert(1)' }", 'leaveUrl'],
  ["{ panelUrl: 'cms.example' }", 'panelUrl'],
])('rejects %s', async (options, name) => {
  await using preview = await openPreview(workshop, { body: '', script: SHOW, isTab: true });
  await expect(preview.page.evaluate(`show(${options}); 0`)).rejects.toThrow(`${name} must be a web address`);
});
