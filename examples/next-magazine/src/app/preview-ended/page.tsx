import type { Metadata } from 'next';
import { Frame } from '../../components/frame.tsx';
import { Notice } from '../../components/notice.tsx';

export const metadata: Metadata = { title: 'Preview', robots: 'noindex' };

export default function PreviewEnded() {
  return (
    <Frame language="en" access="published">
      <Notice
        kicker="Preview"
        title="This preview link no longer works"
        text="It has expired or been revoked, or the preview secret has been replaced. Ask the sender for a new link, or open the preview in the panel again."
        language="en"
      />
    </Frame>
  );
}
