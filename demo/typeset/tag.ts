/** An element in the structure of a tagged PDF (ISO 32000-1, 14.8), which screen readers use. */
export type Tag = {
  /** Opens a nested element. */
  within(type: string): Tag
  /** Draws one piece of text as an element of this type. */
  mark(type: string, draw: () => void): void
}

/** Creates the root of a document's structure, and the function that ends it after drawing. */
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
