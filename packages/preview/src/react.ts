'use client';

// @galley/preview/react: live updates for React components.

import { useEffect, useRef, useState } from 'react';
import { connectPreview } from './connect-preview.ts';
import type { PreviewContent } from './parse-panel-message.ts';
import type { PreviewOptions } from './preview-options.ts';

/** Options for `useLivePreview`. */
export type LivePreviewOptions = Omit<PreviewOptions, 'contentId' | 'onUpdate'>;

/**
 * The content to show: the given content or, in the panel's preview, the content as the editor has since changed it. After a save, new
 * content from the server replaces the updates from before the save.
 *
 * @param content the content object from the delivery API
 * @param options without options, as on the published site, the hook returns the given content
 *
 * @example
 * function Headline(props: { article: { id: string; name: string }; isPreview: boolean }) {
 *   const article = useLivePreview(props.article, props.isPreview && { panelOrigin: 'https://cms.example' });
 *   return article.name;
 * }
 */
export function useLivePreview<C extends PreviewContent>(
  content: C,
  options: LivePreviewOptions | false | null | undefined,
): C {
  // The content from the server, the content shown, and whether the latter is newer than the last save.
  const [[given, shown, isNewer], setShown] = useState<readonly [C, C, boolean]>([content, content, false]);
  const latest = useRef<Partial<LivePreviewOptions>>({});
  const afterRender = useRef<(() => void)[]>([]);

  // A parent may pass a new but equal object on each render, which does not make the editor's changes outdated.
  const isOutdated = given !== content && JSON.stringify(given) !== JSON.stringify(content);
  // Changes that the editor has made since the save are newer than the saved content.
  const current = isOutdated && !(isNewer && given.id === content.id) ? content : shown;
  if (isOutdated) setShown([content, current, isNewer]);

  useEffect(() => {
    latest.current = options || {};
    for (const resolve of afterRender.current.splice(0)) resolve();
  });

  const { panelOrigin, brand, marks, target } = options || {};
  useEffect(() => {
    if (panelOrigin === undefined) return;
    const connection = connectPreview<C>({
      panelOrigin,
      brand,
      marks,
      target,
      contentId: content.id,
      onUpdate: (current) =>
        new Promise<void>((resolve) => {
          afterRender.current.push(resolve);
          setShown(([known]) => [known, current, true]);
        }),
      onRefresh() {
        setShown(([known, before]) => [known, before, false]);
        return latest.current.onRefresh?.();
      },
    });
    return () => connection.disconnect();
  }, [panelOrigin, brand, marks, target, content.id]);

  return current;
}
