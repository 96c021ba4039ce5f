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
        text="It has expired, someone has revoked it, or the preview secret was replaced. Ask the person who sent it for a new one, or open the preview in the panel again."
        language="en"
      />
    </Frame>
  );
}
