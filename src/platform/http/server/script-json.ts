import { Html } from './html.ts'

/**
 * Writes JSON for a `<script>` that holds data. Browsers unescape nothing inside, but look for its end, so `<` must not
 * appear. The separators U+2028 and U+2029 end lines for older JavaScript parsers.
 */
export function scriptJson(value: unknown): Html {
  return new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}
