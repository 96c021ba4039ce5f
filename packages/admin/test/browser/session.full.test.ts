import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSetUpToken } from '../../../server/src/authoring/people/set-up.ts';
import { callAsOwner, findAxeFaults, OWNER, type Panel, startPanel } from './panel.ts';

const SECOND_OWNER = { name: 'Otto Owner', email: 'otto@galley.example', password: 'quite another horse battery' };

let panel: Panel;

beforeAll(async () => {
  panel = await startPanel();
});

afterAll(() => panel.close());

test('tells visitors without the set-up link where to find it, and lets nobody continue without it', async () => {
  const page = await panel.open('/sites');
  await page.getByRole('heading', { name: 'Set up Galley' }).waitFor();
  await page.getByText('galley setup-link').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
  const link = page.getByLabel('Set-up link or token');
  await link.fill(`${panel.service.url}/admin/set-up`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Paste the whole link, or the token that starts with gs_.').waitFor();
  await link.fill(`${panel.service.url}/admin/set-up#token=gs_wrong`);
  await page.keyboard.press('Enter');
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByText('This is not the set-up link for this installation.').waitFor();
  expect(await page.evaluate('document.activeElement.ariaInvalid')).toBe('true');
  // The values that were filled in are still there after the correct token is entered.
  await link.fill(buildSetUpToken(panel.service.storage).slice(0, -1));
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await page.getByLabel('Your name').inputValue()).toBe(OWNER.name);
  await page.context().close();
});

test('creates the owner from the set-up link, signs them in, and removes the token from the URL immediately', async () => {
  const page = await panel.open(`/set-up#token=${buildSetUpToken(panel.service.storage)}`);
  await page.getByRole('heading', { name: 'Set up Galley' }).waitFor();
  await page.waitForURL(`${panel.service.url}/admin/set-up`);
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByText('You can add more people later, under Users.').waitFor();
  await page.getByText('You can change it later, under Organisation.').waitFor();
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create owner' }).click();
  await page
    .getByText('Use 12 to 200 characters. The password must not be the same as the user’s name or email address.')
    .waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('password');
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Create owner' }).click();
  await page.getByRole('heading', { name: 'No sites yet' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])');
  expect(kept).not.toContain('gs_');
  await page.context().close();
});

test('shows links to the pages that the set-up form mentions', async () => {
  const page = await panel.openAs('/sites');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Users', 'Organisation']) await navigation.getByRole('link', { name, exact: true }).waitFor();
  await page.context().close();
});

test('asks visitors to sign in, and then opens the page that they requested', async () => {
  const page = await panel.open('/account/keys');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email address or password is incorrect.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/account/keys');
  await page.context().close();
});

test('does not redirect to another site after sign-in', async () => {
  const page = await panel.open('/sign-in?back=%2F%2Fevil.example%2F');
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  expect(page.url()).toBe(`${panel.service.url}/admin/sites`);
  await page.context().close();
});

test('ends the session on sign-out, and shows the sign-in page', async () => {
  const page = await panel.openAs('/sites');
  const cookies = await page.context().cookies();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await page.getByRole('button', { name: /Olive Owner/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The device is still recognised, so other people's failed attempts do not slow it down.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['galley_device']);
  await page.context().close();
});

test('opens the sign-in page on the next action after the session has been ended elsewhere', async () => {
  const page = await panel.openAs('/sites');
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your session ended. Your text is safe; sign in to continue.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.context().close();
});

test('restores a form that was being filled in when the session ended', async () => {
  const page = await panel.openAs('/sites/new');
  await page.getByLabel('Name').fill('Half a site');
  await page.getByLabel('URL').fill('https://half.example');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByText('Your session ended. Your text is safe; sign in to continue.').waitFor();
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New site' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Half a site');
  expect(await page.getByLabel('URL').inputValue()).toBe('https://half.example');
  await page.context().close();
});

test('shows an empty form if somebody else signs in', async () => {
  await callAsOwner(panel, '/users', { ...SECOND_OWNER, role: 'owner' });
  const page = await panel.openAs('/sites/new');
  await page.getByLabel('Name').fill('Mine alone');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByText('Your session ended. Your text is safe; sign in to continue.').waitFor();
  await page.getByLabel('Email').fill(SECOND_OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(SECOND_OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New site' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  await page.context().close();
});

test('shows an error if the current password is wrong, and continues in a new session after a change', async () => {
  const page = await panel.openAs('/account/password');
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('a better horse battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This is not your current password.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Current password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.goto(`${panel.service.url}/admin/account/password`);
  await page.getByLabel('Current password').fill('a better horse battery staple');
  await page.getByLabel('New password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.context().close();
});

test('stores no token in the browser', async () => {
  const page = await panel.openAs('/sites');
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  const session: unknown = await (await page.request.get(`${panel.service.url}/manage/v1/session`)).json();
  expect(session).toMatchObject({ csrf_token: expect.stringMatching(/./), user: { email: OWNER.email } });
  const secrets = (await page.context().cookies()).map(({ value }) => value);
  for (const secret of [...secrets, Reflect.get(Object(session), 'csrf_token')]) expect(kept).not.toContain(secret);
  await page.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
