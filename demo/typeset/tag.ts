/** A place in the structure of a tagged PDF (ISO 32000-1, 14.8), which tells programs that read aloud what is what. */
export type Tag = {
  /** A place for what belongs together. */
  within(type: string): Tag
  /** What is drawn is one piece of text of this type. */
  mark(type: string, draw: () => void): void
}

/** The root of a document's structure, and how to end it when everything is drawn. */
export function openStructure(document: PDFKit.PDFDocument): { tag: Tag; end: () => void } {
  const root = document.struct('Document')
  document.addStructure(root)
  return { tag: tagIn(document, root), end: () => root.end() }
}

function tagIn(document: PDFKit.PDFDocument, element: ReturnType<PDFKit.PDFDocument['struct']>): Tag {
  return {
    within(type) {
      const child = document.struct(type)
      element.add(child)
      return tagIn(document, child)
    },
    mark(type, draw) {
      element.add(document.struct(type, {}, draw))
    },
  }
}
