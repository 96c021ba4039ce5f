'use client';

// @galley/preview/react: live updates for React components.

import { useEffect, useRef, useState } from 'react';
import { connectPreview } from './connect-preview.ts';
import type { PreviewContent } from './parse-panel-message.ts';
import type { PreviewOptions } from './preview-options.ts';

/** Options for `useLivePreview`. */
export type LivePreviewOptions = Omit<PreviewOptions, 'contentId' | 'onUpdate'>;

/**
 * The content to show: the given content or, in the panel's preview, the content as the editor has changed it since. New content from the
 * server replaces earlier updates.
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
  const [shown, setShown] = useState({ given: content, current: content });
  const latest = useRef(options);
  const afterRender = useRef<(() => void)[]>([]);

  // A parent may pass a new but equal object on each render, which does not make the editor's changes outdated.
  const isOutdated = shown.given !== content && JSON.stringify(shown.given) !== JSON.stringify(content);
  if (isOutdated) setShown({ given: content, current: content });

  useEffect(() => {
    latest.current = options;
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
          setShown(({ given }) => ({ given, current }));
        }),
      onRefresh: () => (latest.current ? latest.current.onRefresh?.() : undefined),
    });
    return () => connection.disconnect();
  }, [panelOrigin, brand, marks, target, content.id]);

  return isOutdated ? content : shown.current;
}
