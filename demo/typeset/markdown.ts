/** A run of text in one style. */
export type Inline = { text: string; style: 'plain' | 'bold' | 'code'; link?: string }

/** A block of a documentation page. */
export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'code'; lines: string[] }
  | { kind: 'item'; marker: string; depth: number; text: Inline[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }

/** Returns the text without its styles. */
export function plainText(text: readonly Inline[]): string {
  return text.map((part) => part.text).join('')
}
