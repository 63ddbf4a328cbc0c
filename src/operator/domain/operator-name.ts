export const MAX_NAME_LENGTH = 100

/** What an operator may be called: one line, that begins and ends with something to see. */
export const OPERATOR_NAME_PATTERN = '^[^\\s\\p{Cc}](?:[^\\p{Cc}\\u2028\\u2029]*[^\\s\\p{Cc}])?$'

const operatorName = new RegExp(OPERATOR_NAME_PATTERN, 'u')

/** Whether an operator may have this name. */
export function isOperatorName(text: string): boolean {
  return [...text].length <= MAX_NAME_LENGTH && operatorName.test(text)
}

/** The name as it is compared: letters that look the same (Unicode's NFKC) in upper or lower case are the same. */
export function operatorNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC')
}
