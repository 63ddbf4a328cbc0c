import { Html } from '#platform/http/server/html.ts'

/**
 * JSON for a `<script>` that holds data. Within one nothing is unescaped but its end is looked for, so `<` must not be
 * there at all; the line separators U+2028 and U+2029 end lines in what older parsers took for JavaScript.
 */
export function scriptJson(value: unknown): Html {
  return new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}
