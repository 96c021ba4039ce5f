// The Next.js front end: what both front ends promise, and a cache that a webhook keeps up to date.

import { beforeAll, describe, expect, test } from 'vitest';
import type { FrontEndProject } from '../packaging/front-end-project.ts';
import { callWebhook, createEditor, type ProjectEditor } from '../packaging/project-editor.ts';
import { describeFrontEnd } from './front-end-suite.ts';

const FERRY = '/articles/the-library-on-the-ferry';
const TRAIN = '/articles/the-library-on-the-train';
const NOTE = '/notes/c_ferry_library';

const find = describeFrontEnd('next');

describe('with a webhook', () => {
  let project: FrontEndProject;
  let editor: ProjectEditor;
  let receiver: string;
  let secret: string;

  beforeAll(async () => {
    project = find();
    editor = await createEditor(project);
    receiver = `${project.siteUrl}/api/webhook`;
    secret = await project.connectWebhook(receiver);
    await project.serve();
  });

  test('serves cached pages while Galley is not running', async () => {
    const paths = ['/', FERRY];
    for (const path of paths) await (await project.get(path)).text();
    await project.stopGalley();
    for (const path of paths) expect(`${path} ${(await project.get(path)).status}`).toBe(`${path} 200`);
    await project.startGalley();
  });

  test('shows changes after publication', async () => {
    const publish = (values: object) => editor.publish('c_ferry_library', values);

    /** Waits until the page has this status and text. */
    async function waitFor(path: string, status: number, text = ''): Promise<void> {
      const read = async () => {
        const page = await project.get(path);
        return { status: page.status, hasText: (await page.text()).includes(text) };
      };
      await expect.poll(read).toEqual({ status, hasText: true });
    }

    for (const name of ['The library on the bus', 'The library on the train']) {
      await publish({ name });
      await waitFor(FERRY, 200, `<h1>${name}</h1>`);
    }
    expect((await project.get(TRAIN)).status).toBe(404);
    await publish({ slug: 'the-library-on-the-train' });
    await waitFor(TRAIN, 200, '<h1>The library on the train</h1>');
    await waitFor(FERRY, 404);
    await waitFor('/', 200, `href="${TRAIN}"`);
    await editor.unpublish('c_ferry_library');
    await waitFor(TRAIN, 404);
    await publish({});
    await waitFor(TRAIN, 200);
    expect((await project.get(NOTE)).status).toBe(404);
    await publish({ uri: NOTE.slice(1) });
    await waitFor(NOTE, 200);
    await publish({ name: 'The library on the tram' });
    await waitFor(NOTE, 200, '<h1>The library on the tram</h1>');
  });

  test('rejects webhook calls without a valid signature', async () => {
    expect((await callWebhook(receiver, secret)).status).toBe(204);
    expect((await callWebhook(receiver, 'whsec_d3Jvbmc=')).status).toBe(401);
    expect((await fetch(receiver, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(receiver, { method: 'POST', body: Buffer.alloc(3_000_000) })).status).toBe(401);
  });
});
