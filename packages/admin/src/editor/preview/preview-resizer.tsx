import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import classes from './preview-resizer.module.css';
import { changePreviewView, usePreviewView } from './preview-view.ts';

const LEAST = 320;
/** The combined width of the sidebar, the narrowest usable form and the space around that form. */
const BESIDE = 232 + 420;
const STEP = 24;
const LONG_STEP = 96;

/** The edge between the form and the preview. It can be dragged, or moved with the arrow keys. */
export function PreviewResizer() {
  const { width } = usePreviewView();
  const [isDragged, setIsDragged] = useState(false);
  const shown = clampWidth(width ?? defaultWidth());
  const resize = (next: number): void => changePreviewView({ width: clampWidth(next) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = readKey(event, shown);
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  const drag = (event: PointerEvent): void => {
    if (isDragged) resize(window.innerWidth - event.clientX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is a control, and hr is not
    <div
      role="separator"
      tabIndex={0}
      className={classes.resizer}
      data-dragged={isDragged || undefined}
      aria-orientation="vertical"
      aria-label={PREVIEW_TEXTS.resize}
      aria-valuemin={LEAST}
      aria-valuemax={Math.max(LEAST, window.innerWidth - BESIDE)}
      aria-valuenow={Math.round(shown)}
      onKeyDown={onKeyDown}
      onDoubleClick={() => changePreviewView({ width: null })}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        setIsDragged(true);
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => setIsDragged(false)}
    />
  );
}

function readKey({ key, shiftKey }: KeyboardEvent, width: number): number | undefined {
  const by = shiftKey ? LONG_STEP : STEP;
  if (key === 'ArrowLeft') return width + by;
  if (key === 'ArrowRight') return width - by;
  if (key === 'Home') return LEAST;
  return key === 'End' ? Number.MAX_SAFE_INTEGER : undefined;
}

/** The CSS sets the same limits for windows that become narrower later. */
function clampWidth(width: number): number {
  return Math.max(LEAST, Math.min(width, window.innerWidth - BESIDE));
}

function defaultWidth(): number {
  return (window.innerWidth - 232) / 2;
}
