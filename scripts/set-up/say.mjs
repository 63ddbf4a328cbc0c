/** @param {string} message */
export function say(message) {
  process.stderr.write(`set-up: ${message}\n`)
}
