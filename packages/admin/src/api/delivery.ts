// The URL and headers for this service's delivery API. The service embeds them in the page.

export interface Delivery {
  readonly apiUrl: string;
  readonly headerPrefix: string;
}

export function readDelivery(): Delivery {
  const { publicUrl = '', headerPrefix = '' } = document.documentElement.dataset;
  const origin = publicUrl === '' || publicUrl.startsWith('__') ? window.location.origin : publicUrl;
  return {
    apiUrl: `${origin.replace(/\/+$/, '')}/api/v1`,
    headerPrefix: headerPrefix === '' || headerPrefix.startsWith('__') ? 'X-SERVICE' : headerPrefix,
  };
}
