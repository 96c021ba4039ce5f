// Sets a picture's focal point with a click or the arrow keys, and previews common crops.

import { Button, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { boundPoint, CENTRE, findCropPosition, movePoint, type Point } from './crop-position.ts';
import classes from './focal-point.module.css';

interface Picture {
  readonly src: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly onError: () => void;
  /** Shown until the picture has loaded. */
  readonly ground: CSSProperties;
}

interface FocalPointProps {
  readonly picture: Picture;
  /** Null if the middle of the picture is used. */
  readonly value: Point | null;
  readonly onChange: (point: Point | null) => void;
}

export function FocalPoint({ picture, value, onChange }: FocalPointProps) {
  const helpId = useId();
  const [isShown, setIsShown] = useState(false);
  const point = value ?? CENTRE;
  const { src, alt, width, height } = picture;
  const choose = (event: MouseEvent): void => {
    const box = event.currentTarget.getBoundingClientRect();
    onChange(
      boundPoint({
        x: (100 * (event.clientX - box.left)) / box.width,
        y: (100 * (event.clientY - box.top)) / box.height,
      }),
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movePoint(point, event.key, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <>
      <div className={classes.stage}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move the marker */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys move the marker */}
        <div
          className={classes.picture}
          style={{
            ...(isShown ? {} : picture.ground),
            aspectRatio: `${width} / ${height}`,
            maxWidth: `calc(26rem * ${width / height})`,
          }}
          onPointerDown={(event) => {
            // A touch may be the start of a scroll. Only a tap sets the point.
            if (event.button !== 0 || event.pointerType === 'touch') return;
            event.currentTarget.setPointerCapture(event.pointerId);
            choose(event);
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) choose(event);
          }}
          onClick={(event) => {
            // Pressing Enter on the marker also counts as a click, but has no position.
            if (event.detail > 0) choose(event);
          }}
        >
          <img src={src} alt={alt} draggable={false} onError={picture.onError} onLoad={() => setIsShown(true)} />
          <button
            type="button"
            className={classes.marker}
            style={{ left: `${point.x}%`, top: `${point.y}%` }}
            aria-label={ASSET_TEXTS.focalMarker(point.x, point.y)}
            aria-describedby={helpId}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
      <VisuallyHidden id={helpId}>{ASSET_TEXTS.focalKeys}</VisuallyHidden>
      <VisuallyHidden role="status">{value !== null && ASSET_TEXTS.focalMarker(value.x, value.y)}</VisuallyHidden>
      <div className={classes.help}>
        <span>{ASSET_TEXTS.focalIntro}</span>
        {value !== null && (
          <Button size="compact-xs" variant="subtle" flex="none" onClick={() => onChange(null)}>
            {ASSET_TEXTS.focalReset}
          </Button>
        )}
      </div>
      <ul className={classes.crops} aria-label={ASSET_TEXTS.crops}>
        {SHAPES.map(({ name, shape }) => {
          const { x, y } = findCropPosition(picture, shape, point);
          return (
            <li key={name} style={{ flexGrow: shape }}>
              <img
                src={src}
                alt={ASSET_TEXTS.cropOf(name)}
                draggable={false}
                style={{ aspectRatio: shape, objectPosition: `${x}% ${y}%` }}
              />
              <span aria-hidden>{name}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const SHAPES = [
  { name: '16:9', shape: 16 / 9 },
  { name: '1:1', shape: 1 },
  { name: '3:4', shape: 3 / 4 },
] as const;
