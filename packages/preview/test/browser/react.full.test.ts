// The React hook in an app that Vite has bundled.

import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPreview, openWorkshop, type Preview, type Workshop } from './open-preview.ts';

/** Builds a new object on each render, as many pages do. `serve` simulates new content from the server. */
const APP = `
  import { createElement, StrictMode, useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { useLivePreview } from '@galley/preview/react';

  function Article() {
    const [served, serve] = useState({ id: 'c_1', name: 'First' });
    const [clicks, setClicks] = useState(0);
    const article = useLivePreview({ ...served }, !location.search && {
      panelOrigin: window.panelOrigin,
      onRefresh: () => window.refresh?.() ?? serve({ id: 'c_1', name: 'Saved' }),
    });
    window.serve = serve;
    return createElement('h1', { onMouseDown: () => setClicks(clicks + 1) }, article.name, ' ', clicks);
  }
  window.start = () => createRoot(document.querySelector('main')).render(createElement(StrictMode, null, createElement(Article)));`;

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  const { project } = workshop;
  for (const name of ['react', 'react-dom', 'scheduler']) {
    const folder = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
    await symlink(folder, join(project.path, 'node_modules', name));
  }
  await project.write({ 'app-source.js': APP });
  await build({
    root: project.path,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir: 'app',
      minify: false,
      rolldownOptions: { input: join(project.path, 'app-source.js'), output: { entryFileNames: 'app.js' } },
    },
  });
});

afterAll(() => workshop?.[Symbol.asyncDispose]());

async function openApp(): Promise<Preview> {
  const preview = await openPreview(workshop, {
    body: '<main></main>',
    script: "window.panelOrigin = panelOrigin; await import('/app/app.js'); start();",
  });
  await preview.page.getByText('First').waitFor();
  return preview;
}

function update(name: string, id = 'c_1'): object {
  return { message: 'service-update-content', content: JSON.stringify({ id, name }) };
}

async function countLoaded({ messages }: Preview): Promise<number> {
  return (await messages()).filter((message) => message === 'loaded').length;
}

test('shows updates to its content, even when the parent renders again', async () => {
  await using preview = await openApp();
  // Strict mode mounts every component twice.
  await expect.poll(() => countLoaded(preview)).toBe(2);
  await preview.send(update('Other', 'c_2'));
  await expect.poll(() => countLoaded(preview)).toBe(3);
  await preview.send(update('Second'));
  await preview.page.getByText('Second 0').waitFor();
  await expect.poll(() => countLoaded(preview)).toBe(4);
  await preview.page.locator('h1').dispatchEvent('mousedown');
  await preview.page.getByText('Second 1').waitFor();
  expect(preview.complaints).toEqual([]);
});

test('shows new content from the server, then later updates', async () => {
  await using preview = await openApp();
  await preview.send(update('Second'));
  await preview.page.getByText('Second').waitFor();
  await preview.send({ message: 'service-refresh-preview' });
  await preview.page.getByText('Saved').waitFor();
  await preview.send(update('Third'));
  await preview.page.getByText('Third').waitFor();
});

test('keeps what the editor types while the saved content is being read', async () => {
  await using preview = await openApp();
  await preview.page.evaluate(`
    window.shown = [];
    new MutationObserver(() => shown.push(document.querySelector('h1').textContent))
      .observe(document.querySelector('h1'), { subtree: true, characterData: true, childList: true });
    window.refresh = () => new Promise((resolve) => {
      window.finish = () => { serve({ id: 'c_1', name: 'Saved' }); resolve(); };
    });
  `);
  await preview.send({ message: 'service-refresh-preview' });
  await preview.send(update('Typed'));
  await preview.page.getByText('Typed').waitFor();
  const count = await countLoaded(preview);
  await preview.page.evaluate('finish()');
  // One message for the refresh, and one for the update that is shown again.
  await expect.poll(() => countLoaded(preview)).toBeGreaterThanOrEqual(count + 2);
  expect(await preview.page.evaluate('shown')).toEqual(['Typed 0']);
});

test('switches to another content object when it is given one', async () => {
  await using preview = await openApp();
  await preview.send(update('Second'));
  await preview.page.getByText('Second').waitFor();
  await preview.page.evaluate("serve({ id: 'c_2', name: 'Next page' })");
  await preview.page.getByText('Next page').waitFor();
  await preview.send(update('Late', 'c_1'));
  await preview.send(update('Typed', 'c_2'));
  await preview.page.getByText('Typed').waitFor();
});

test('returns the given content without options', async () => {
  await using preview = await openApp();
  await preview.panel.evaluate('messages.length = 0');
  await preview.page.goto(`${preview.page.url()}?published`);
  await preview.page.getByText('First').waitFor();
  expect(await preview.page.locator('galley-preview').count()).toBe(0);
  expect(await preview.messages()).toEqual([]);
});
