/** Limits of a host name and of its labels (RFC 1035, 2.3.4). */
const MAX_DOMAIN_LENGTH = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Characters that end a host name in an address, or that an address spells in another way. */
const NOT_IN_NAMES = /[\s/\\@:?#%[\]]/

/** As long as a name may be before it is written in ASCII; a longer text is not worth parsing. */
const MAX_WRITTEN_LENGTH = 1_000

/**
 * Returns a host name in the form in which it is compared and stored: in lower case, in ASCII (`xn--…`), without the
 * dot of the root; undefined if the text is none, or is an address of numbers or a name without a dot.
 */
export function parseDomain(text: string): string | undefined {
  if (text.length > MAX_WRITTEN_LENGTH || NOT_IN_NAMES.test(text)) return undefined
  const domain = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '')
  if (domain === undefined || domain.length > MAX_DOMAIN_LENGTH) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  // Parsers of addresses read a name whose last label is a number as an IPv4 address.
  return /^\d/.test(labels.at(-1)!) ? undefined : domain
}

/** Refuses a text that is not the host name of a site. */
export function domainProblem(text: string): string | undefined {
  if (parseDomain(text.trim()) !== undefined) return undefined
  return 'must be a host name such as reports.example.org, without https:// and without a path'
}

const MAX_CONTACT_LENGTH = 320
const EMAIL = /^[^\s@<>"?#&:/]{1,64}@[a-z0-9.-]{3,255}$/i

/** Refuses a contact that is neither an e-mail address nor the address of a page. */
export function contactProblem(text: string): string | undefined {
  const contact = text.trim()
  if (contact === '') return undefined
  const isPage = /^https?:$/.test(URL.parse(contact)?.protocol ?? '')
  if (contact.length <= MAX_CONTACT_LENGTH && (EMAIL.test(contact) || isPage)) return undefined
  return `must be an e-mail address or an https address of at most ${MAX_CONTACT_LENGTH} characters`
}
