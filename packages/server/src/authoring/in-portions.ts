import { setImmediate as takeTurn } from 'node:timers/promises';

/**
 * Runs a long piece of work portion by portion; between two of them others are served.
 * @param portion gets the place that it begins at, and gives the place of the next one, or null at the end
 */
export async function inPortions<Place>(first: Place, portion: (place: Place) => Promise<Place | null>): Promise<void> {
  let place = await portion(first);
  while (place !== null) {
    await takeTurn();
    place = await portion(place);
  }
}
