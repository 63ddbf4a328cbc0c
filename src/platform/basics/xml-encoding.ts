/** Bytes decoded at once, so that a reader stops early in a file that it refuses. */
const PIECE_BYTES = 65_536
/** A declaration stands at the beginning of a file. */
const DECLARATION_BYTES = 200

/** Bytes that are no text in the encoding that the file states. The message continues "The file …". */
export class XmlEncodingError extends Error {
  override name = 'XmlEncodingError'
}

/**
 * Decodes an XML file piece by piece, in the encoding of its byte order mark, its first bytes or its declaration (XML
 * 1.0, appendix F): UTF-8, UTF-16, ISO-8859-1 and whatever else the Encoding Standard names.
 * @throws XmlEncodingError for an unknown encoding, and for bytes that are not in it
 */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
  const decoder = decoderFor(bytes)
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new XmlEncodingError(`is not text in ${decoder.encoding}`) : error
  }
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return new TextDecoder(utf16, { fatal: true })
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const [, declared = 'utf-8'] = /^\s*(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head) ?? []
  // A declaration that was readable byte by byte is not in UTF-16. Some programs convert a file and leave the word.
  const encoding = /^utf-?16/i.test(declared) ? 'utf-8' : declared
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new XmlEncodingError(`is in an unknown encoding, ${declared}`)
  }
}

/** Returns the byte order of UTF-16, by its mark or by its first character, which is `<`. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return undefined
}
