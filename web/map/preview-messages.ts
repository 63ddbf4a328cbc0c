import type { ShownMap } from './shown-map.ts'

/** Messages between the page of settings and the preview of a style within it. */
type PreviewMessage =
  /** The preview can be told what to show. */
  | { about: 'map-preview'; state: 'ready' }
  /** Shows a map, in light or dark colours. */
  | { about: 'map-preview'; state: 'show'; shown: ShownMap }
  /** The style was loaded, and loads from these origins. */
  | { about: 'map-preview'; state: 'loaded'; styleUrl: string; darkStyleUrl: string | null; origins: string[] }
  /** The style cannot be loaded. */
  | { about: 'map-preview'; state: 'failed'; styleUrl: string; darkStyleUrl: string | null }

/** Sends a message to a window of this site alone. */
export function postPreview(target: Window, message: PreviewMessage): void {
  target.postMessage(message, location.origin)
}

/** Calls a function with the messages from a window of this site. Returns a function that ends it. */
export function onPreview(source: () => Window | null | undefined, receive: (message: PreviewMessage) => void) {
  const listen = ({ origin, source: from, data }: MessageEvent) => {
    if (origin === location.origin && from === source() && data?.about === 'map-preview')
      receive(data as PreviewMessage)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
