// How the editor last arranged the preview in this browser: whether it is open, its width, the device, and the address for each site.

import { useSyncExternalStore } from 'react';
import { isRecord } from '../fields/field-values.ts';

/** Where the preview is shown: beside the form, in its own tab, or not at all. */
export type PreviewMode = 'beside' | 'tab' | 'hidden';

export type Device = 'fit' | 'phone' | 'tablet' | 'desktop';

export const DEVICES: readonly Device[] = ['fit', 'phone', 'tablet', 'desktop'];

/** The width of the page in CSS pixels; undefined if the page is as wide as the preview. */
export const DEVICE_WIDTHS: Readonly<Record<Device, number | undefined>> = {
  fit: undefined,
  phone: 390,
  tablet: 820,
  desktop: 1280,
};

export interface PreviewView {
  readonly isOpen: boolean;
  /** In pixels; null until somebody has changed it. */
  readonly width: number | null;
  readonly device: Device;
  /** The ID of the chosen address, by site. */
  readonly addresses: Readonly<Record<string, string>>;
}

const STORAGE_KEY = 'galley-preview';
const DEFAULT: PreviewView = { isOpen: false, width: null, device: 'fit', addresses: {} };

const listeners = new Set<() => void>();
let current: PreviewView | undefined;

export function usePreviewView(): PreviewView {
  return useSyncExternalStore(watch, read);
}

export function changePreviewView(change: Partial<PreviewView>): void {
  current = { ...read(), ...change };
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // If the browser cannot store the change, it applies until the panel is closed.
  }
  for (const listener of listeners) listener();
}

function read(): PreviewView {
  current ??= parsePreviewView(readStored());
  return current;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Values that are missing or unknown are replaced by the defaults. */
export function parsePreviewView(text: string | null): PreviewView {
  const stored = parseJson(text ?? '');
  if (!isRecord(stored)) return DEFAULT;
  const { isOpen, width, device, addresses } = stored;
  return {
    isOpen: isOpen === true,
    width: typeof width === 'number' && width > 0 && width < 10_000 ? width : null,
    device: DEVICES.find((each) => each === device) ?? 'fit',
    addresses: isRecord(addresses) ? pickTexts(addresses) : {},
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pickTexts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
