import { parseTitle, titleProblem } from './title.ts'

/** Titles that programs write for lack of a real one: their own name, a counter, or the name of the source file. */
const PLACEHOLDERS = [
  /^(untitled|sans titre|sans nom|unbenannt|document|presentation|présentation|title|titre|slide|diapositive)[\s_-]*\d*$/i,
  /^microsoft (word|powerpoint|excel)\b/i,
  /^(print|impression)\b.*\.\w{2,5}$/i,
  /\.(docx?|odt|pptx?|odp|xlsx?|ods|indd|qxd|pages|key|tex|dvi|ps|eps|ai|pdf|rtf|txt|html?)$/i,
]

/**
 * Returns the title of a publication from that in its file, or else `fallback`, which is usually the file's name.
 * Titles that say nothing about the content do not count.
 */
export function titleOfFile(stated: string | undefined, fallback: string): string {
  const title = parseTitle(stated ?? '')
  const isReal = titleProblem(title) === undefined && !PLACEHOLDERS.some((placeholder) => placeholder.test(title))
  return isReal ? title : parseTitle(fallback)
}
