import { readFile } from 'node:fs/promises'
import { validateXML } from 'xmllint-wasm'

const FOLDER = new URL('../data/schemas/', import.meta.url)

/**
 * Returns what is wrong with a document by an XML schema of `test/data/schemas`, one entry for each error.
 * @param imported schemas that the first one imports
 */
export async function schemaErrors(xml: string, schema: string, imported: readonly string[] = []): Promise<string[]> {
  const read = async (name: string) => ({ fileName: name, contents: await readFile(new URL(name, FOLDER), 'utf8') })
  const { errors } = await validateXML({
    xml: [{ fileName: 'export.xml', contents: xml }],
    schema: [await read(schema)],
    preload: await Promise.all(imported.map(read)),
  })
  return errors.map(({ message }) => message)
}
