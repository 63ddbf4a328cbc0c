/** A running instance of PDFium. */
export type Pdfium = PdfiumExports & {
  /** Makes a function callable from PDFium; `signature` lists WebAssembly types, the result first: `iiii`. */
  addCallback(callback: (...args: number[]) => number | undefined, signature: string): Pointer
  /** Returns true once more memory than allowed was requested: later failures are caused by that. */
  hasRunOutOfMemory(): boolean
}

/** Limit for a text read from PDFium, such as a title or an address: a hostile file may have huge ones. */
const MAX_TEXT_BYTES = 64 * 1024

/** Allocates `size` bytes of PDFium's memory during `use`. */
export function withMemory<T>(pdfium: Pdfium, size: number, use: (pointer: Pointer) => T): T {
  const pointer = pdfium.malloc(size)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  try {
    return use(pointer)
  } finally {
    pdfium.free(pointer)
  }
}

/** Allocates `count` values of four bytes each, through which a call returns several results. */
export function withCells<T>(pdfium: Pdfium, count: number, use: (pointer: Pointer, cells: () => DataView) => T): T {
  return withMemory(pdfium, count * 4, (pointer) => use(pointer, () => viewMemory(pdfium, pointer, count * 4)))
}

/** A view of PDFium's memory. Valid until the next call, which may grow the memory and detach it. */
export function viewMemory(pdfium: Pdfium, pointer: Pointer, size: number): DataView {
  return new DataView(pdfium.memory.buffer, pointer, size)
}

/**
 * Reads UTF-16 text from PDFium: called without a buffer, its functions return the length in bytes including the
 * terminating zero; called with a buffer, they fill it. Returns an empty text if there is none or far too much.
 */
export function readUtf16(pdfium: Pdfium, ask: (buffer: Pointer, length: number) => number): string {
  return readText(pdfium, ask, (bytes) => bytes.toString('utf16le', 0, bytes.length - 2).toWellFormed())
}

/** Reads bytes from PDFium, such as addresses, as UTF-8. */
export function readUtf8(pdfium: Pdfium, ask: (buffer: Pointer, length: number) => number): string {
  return readText(pdfium, ask, (bytes) => bytes.toString('utf8', 0, bytes.length - 1))
}

function readText(
  pdfium: Pdfium,
  ask: (buffer: Pointer, length: number) => number,
  decode: (bytes: Buffer) => string,
): string {
  const length = ask(0, 0) >>> 0
  if (length <= 1 || length > MAX_TEXT_BYTES) return ''
  return withMemory(pdfium, length, (buffer) => {
    ask(buffer, length)
    return decode(Buffer.from(pdfium.memory.buffer, buffer, length))
  })
}

/** Passes a string to `use` as zero-terminated UTF-8. */
export function withUtf8<T>(pdfium: Pdfium, text: string, use: (pointer: Pointer) => T): T {
  const bytes = Buffer.from(`${text}\0`)
  return withMemory(pdfium, bytes.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer, pointer, bytes.length).set(bytes)
    return use(pointer)
  })
}

/** A pointer or an opaque handle in C: an address in the module's memory, 0 for none. */
export type Pointer = number

/**
 * The functions of PDFium that rendering uses, as WebAssembly exports them: everything is a number, booleans are 0 or
 * 1, strings are pointers. They are called directly, because the package's wrappers check and convert on every call,
 * and reading a page's text takes thousands of calls. Names and arguments equal PDFium's public headers.
 */
export type PdfiumExports = {
  memory: WebAssembly.Memory
  malloc(size: number): Pointer
  free(pointer: Pointer): void
  PDFiumExt_Init(): void

  FPDF_SetSystemFontInfo(info: Pointer): void
  FPDF_LoadCustomDocument(access: Pointer, password: Pointer): Pointer
  FPDF_CloseDocument(document: Pointer): void
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: Pointer): number
  FPDF_GetPageSizeByIndexF(document: Pointer, index: number, size: Pointer): number
  EPDF_GetPageRotationByIndex(document: Pointer, index: number): number
  FPDF_GetPageLabel(document: Pointer, index: number, buffer: Pointer, length: number): number
  FPDF_GetMetaText(document: Pointer, tag: Pointer, buffer: Pointer, length: number): number
  EPDFCatalog_GetLanguage(document: Pointer, buffer: Pointer, length: number): number
  FPDF_VIEWERREF_GetName(document: Pointer, key: Pointer, buffer: Pointer, length: number): number
  FPDFCatalog_IsTagged(document: Pointer): number
  FPDFDoc_GetAttachmentCount(document: Pointer): number
  FPDFDoc_GetJavaScriptActionCount(document: Pointer): number
  FPDF_GetFormType(document: Pointer): number
  FPDFAnnot_GetFormFieldType(form: Pointer, annotation: Pointer): number
  FPDFDoc_GetAttachment(document: Pointer, index: number): Pointer
  FPDFAttachment_GetName(attachment: Pointer, buffer: Pointer, length: number): number
  FPDFAttachment_GetFile(attachment: Pointer, buffer: Pointer, length: number, size: Pointer): number

  FPDFPage_GetAnnotCount(page: Pointer): number
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer
  FPDFPage_CloseAnnot(annotation: Pointer): void
  FPDFAnnot_GetSubtype(annotation: Pointer): number
  FPDFAnnot_GetFlags(annotation: Pointer): number
  FPDFAnnot_GetRect(annotation: Pointer, rect: Pointer): number
  FPDFAnnot_GetStringValue(annotation: Pointer, key: Pointer, buffer: Pointer, length: number): number
  FPDFAnnot_GetFileAttachment(annotation: Pointer): Pointer

  FPDFBookmark_GetFirstChild(document: Pointer, bookmark: Pointer): Pointer
  FPDFBookmark_GetNextSibling(document: Pointer, bookmark: Pointer): Pointer
  FPDFBookmark_GetTitle(bookmark: Pointer, buffer: Pointer, length: number): number
  FPDFBookmark_GetDest(document: Pointer, bookmark: Pointer): Pointer
  FPDFBookmark_GetAction(bookmark: Pointer): Pointer
  FPDFAction_GetType(action: Pointer): number
  FPDFAction_GetDest(document: Pointer, action: Pointer): Pointer
  FPDFAction_GetURIPath(document: Pointer, action: Pointer, buffer: Pointer, length: number): number
  FPDFDest_GetDestPageIndex(document: Pointer, destination: Pointer): number

  FPDF_LoadPage(document: Pointer, index: number): Pointer
  FPDF_ClosePage(page: Pointer): void
  FPDF_GetPageWidthF(page: Pointer): number
  FPDF_GetPageHeightF(page: Pointer): number
  FPDF_PageToDevice(
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: Pointer,
    deviceY: Pointer,
  ): number
  FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: Pointer, stride: number): Pointer
  FPDFBitmap_FillRect(bitmap: Pointer, left: number, top: number, width: number, height: number, color: number): number
  FPDFBitmap_GetBuffer(bitmap: Pointer): Pointer
  FPDFBitmap_GetStride(bitmap: Pointer): number
  FPDFBitmap_Destroy(bitmap: Pointer): void
  FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void

  PDFiumExt_OpenFormFillInfo(): Pointer
  PDFiumExt_InitFormFillEnvironment(document: Pointer, info: Pointer): Pointer
  PDFiumExt_ExitFormFillEnvironment(form: Pointer): void
  PDFiumExt_CloseFormFillInfo(info: Pointer): void
  FPDF_SetFormFieldHighlightAlpha(form: Pointer, alpha: number): void
  FORM_OnAfterLoadPage(page: Pointer, form: Pointer): void
  FORM_OnBeforeClosePage(page: Pointer, form: Pointer): void
  FPDF_FFLDraw(
    form: Pointer,
    bitmap: Pointer,
    page: Pointer,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void

  FPDFText_LoadPage(page: Pointer): Pointer
  FPDFText_ClosePage(text: Pointer): void
  FPDFText_CountChars(text: Pointer): number
  FPDFText_GetUnicode(text: Pointer, index: number): number
  FPDFText_GetLooseCharBox(text: Pointer, index: number, rect: Pointer): number

  FPDFText_GetTextObject(text: Pointer, index: number): Pointer
  FPDFPageObj_GetMarkedContentID(object: Pointer): number

  FPDF_StructTree_GetForPage(page: Pointer): Pointer
  FPDF_StructTree_Close(tree: Pointer): void
  FPDF_StructTree_CountChildren(tree: Pointer): number
  FPDF_StructTree_GetChildAtIndex(tree: Pointer, index: number): Pointer
  FPDF_StructElement_CountChildren(element: Pointer): number
  FPDF_StructElement_GetChildAtIndex(element: Pointer, index: number): Pointer
  FPDF_StructElement_GetChildMarkedContentID(element: Pointer, index: number): number
  FPDF_StructElement_GetType(element: Pointer, buffer: Pointer, length: number): number
  FPDF_StructElement_GetAltText(element: Pointer, buffer: Pointer, length: number): number
  FPDF_StructElement_GetActualText(element: Pointer, buffer: Pointer, length: number): number
  FPDF_StructElement_GetLang(element: Pointer, buffer: Pointer, length: number): number
  FPDF_StructElement_GetStringAttribute(element: Pointer, name: Pointer, buffer: Pointer, length: number): number
  FPDF_StructElement_GetAttributeCount(element: Pointer): number
  FPDF_StructElement_GetAttributeAtIndex(element: Pointer, index: number): Pointer
  FPDF_StructElement_Attr_GetValue(attribute: Pointer, name: Pointer): Pointer
  FPDF_StructElement_Attr_GetNumberValue(value: Pointer, number: Pointer): number

  FPDFLink_Enumerate(page: Pointer, position: Pointer, link: Pointer): number
  FPDFLink_GetDest(document: Pointer, link: Pointer): Pointer
  FPDFLink_GetAction(link: Pointer): Pointer
  FPDFLink_GetAnnotRect(link: Pointer, rect: Pointer): number
  FPDFLink_LoadWebLinks(text: Pointer): Pointer
  FPDFLink_CountWebLinks(links: Pointer): number
  FPDFLink_GetURL(links: Pointer, index: number, buffer: Pointer, length: number): number
  FPDFLink_CountRects(links: Pointer, index: number): number
  FPDFLink_GetRect(
    links: Pointer,
    index: number,
    rectIndex: number,
    left: Pointer,
    top: Pointer,
    right: Pointer,
    bottom: Pointer,
  ): number
  FPDFLink_CloseWebLinks(links: Pointer): void
}
