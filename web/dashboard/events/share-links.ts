import type { Share } from '../generated/types.gen.ts'

/**
 * Returns the HTML that shows a share on another site, in its compact form. `name` is read out as the title of the
 * frame.
 */
export function embedCode(url: string, name: string): string {
  const title = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<iframe src="${url}?embed" title="${title}" width="100%" height="640" style="border: 0" loading="lazy" allow="fullscreen; geolocation"></iframe>`
}

/** Returns a name for the files of a QR code, without an extension: letters and digits of the share's name. */
export function qrFileName(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  return plain.replace(/^-|-$/g, '').slice(0, 60) || 'share'
}

/** Returns the state of a share link. */
export function shareState(share: Share, nowMs: number): 'open' | 'expired' | 'revoked' {
  if (share.revoked_at !== null) return 'revoked'
  return share.expires_at !== null && Date.parse(share.expires_at) <= nowMs ? 'expired' : 'open'
}

/**
 * Returns the label of a share, or the title of its track, which `nameIn` puts into the language of the page; undefined
 * if it has neither.
 */
export function shareName({ label, track_title }: Share, nameIn: (name: string) => string): string | undefined {
  return label ?? (track_title === null ? undefined : nameIn(track_title))
}
