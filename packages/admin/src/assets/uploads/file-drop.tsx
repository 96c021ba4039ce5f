// An area of a page that accepts dropped and pasted files.

import { IconUpload } from '@tabler/icons-react';
import { type ClipboardEvent, type DragEvent, type ReactNode, useState } from 'react';
import { type DroppedFile, hasFiles, readDroppedFiles, readPastedFiles } from './dropped-files.ts';
import classes from './file-drop.module.css';

interface FileDropProps {
  /** Shown over the area while files are being dragged over it. */
  readonly label: string;
  readonly onFiles: (files: readonly DroppedFile[], event: DragEvent | ClipboardEvent) => void;
  readonly isDisabled?: boolean;
  /** Whether the message stays in view in an area that is taller than the screen. */
  readonly isTall?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function FileDrop({ label, onFiles, isDisabled = false, isTall = false, className, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  if (isDisabled) return <div className={className}>{children}</div>;
  const takesFiles = (event: DragEvent): boolean => {
    if (!hasFiles(event.dataTransfer)) return false;
    event.preventDefault();
    // Otherwise an area around this one would handle the files too.
    event.stopPropagation();
    return true;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons and pasting do the same without a mouse
    <div
      className={[classes.area, className].filter((name) => name !== undefined).join(' ')}
      onDragEnter={(event) => {
        if (takesFiles(event)) setIsOver(true);
      }}
      onDragOver={(event) => {
        if (!takesFiles(event)) return;
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        // A text editor in the area may have handled the drop already, for example if a picture was dragged from another page together
        // with its HTML.
        if (event.defaultPrevented || !takesFiles(event)) return;
        void readDroppedFiles(event.dataTransfer).then((files) => {
          if (files.length > 0) onFiles(files, event);
        });
      }}
      onPaste={(event) => {
        if (event.defaultPrevented) return;
        const files = readPastedFiles(event.clipboardData, new Date());
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        onFiles(
          files.map((file) => ({ file, folder: '' })),
          event,
        );
      }}
    >
      {children}
      {isOver && (
        <div className={classes.cover} aria-hidden>
          <span className={classes.label} data-tall={isTall || undefined}>
            <IconUpload size={18} stroke={1.7} aria-hidden />
            {label}
          </span>
        </div>
      )}
    </div>
  );
}
