import { deflateSync } from 'node:zlib'
import { FIRST_OBJECT, makePdf, pageReference, showText, stream } from './make-pdf.ts'

/** Returns a document with the given number of pages, each showing its number. */
export function numberedPages(count: number): Buffer {
  return makePdf({ pages: Array.from({ length: count }, (_, at) => ({ content: showText(`Page ${at + 1}`) })) })
}

/**
 * The same with pages an eighth as high as a sheet: most of the time of rendering goes into pixels, and most tests are
 * not about them.
 */
export function flatPages(count: number): Buffer {
  const page = (at: number) => ({ content: showText(`Page ${at + 1}`, 72, 40), mediaBox: '[0 0 612 99]' })
  return makePdf({ pages: Array.from({ length: count }, (_, at) => page(at)) })
}

/** Some of its pages take hours to draw, but no memory: a pattern of tiles a hundredth of their width apart. */
export function endlessDrawing(pages: number[], count: number): Buffer {
  const kind = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /Resources << >>'
  const tile = stream('1 0 0 rg 0 0 1 1 re f', `${kind} /BBox [0 0 1 1] /XStep 0.01 /YStep 0.01`)
  const endless = '/Pattern cs /P0 scn 0 0 612 792 re f'
  return makePdf({
    pages: Array.from({ length: count }, (_, at) => ({
      content: pages.includes(at + 1) ? endless : showText(`Page ${at + 1}`),
    })),
    resources: `/Pattern << /P0 ${FIRST_OBJECT} 0 R >>`,
    objects: [tile],
  })
}

/** A page whose drawing unpacks to 64 MB: compressed twice, in a kilobyte. The page after it is an ordinary one. */
export function decompressionBomb(): Buffer {
  const spaces = Buffer.alloc(64 * 1024 * 1024, 0x20)
  const body = deflateSync(deflateSync(spaces, { level: 9 }), { level: 9 })
  const form = stream(body, '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Filter [/FlateDecode /FlateDecode]')
  return makePdf({
    pages: [{ content: '/X0 Do' }, { content: showText('Page 2') }],
    resources: `/XObject << /X0 ${FIRST_OBJECT} 0 R >>`,
    objects: [form],
  })
}

/** A document with an outline of two levels, the second entry leading to an address. */
export function outlined(): Buffer {
  const [root, first, child, second] = [0, 1, 2, 3].map((at) => `${FIRST_OBJECT + at} 0 R`)
  return makePdf({
    pages: [{}, {}, {}],
    catalog: `/Outlines ${root} /Lang (de-CH) /PageLabels << /Nums [0 << /S /r >> 2 << /S /D >>] >>`,
    info: '/Title (Ein Titel) /Author (M\\374ller)',
    objects: [
      `<< /Type /Outlines /First ${first} /Last ${second} /Count 2 >>`,
      `<< /Title (One) /Parent ${root} /Next ${second} /First ${child} /Last ${child} /Count 1 /Dest [${pageReference(1)} /Fit] >>`,
      `<< /Title (One and a half) /Parent ${first} /Dest [${pageReference(3)} /Fit] >>`,
      `<< /Title (Two) /Parent ${root} /Prev ${first} /A << /S /URI /URI (https://example.org/two) >> >>`,
    ],
  })
}

/** A document with an outline whose last entry is followed by the first. */
export function circularOutline(): Buffer {
  const [root, first, second] = [0, 1, 2].map((at) => `${FIRST_OBJECT + at} 0 R`)
  return makePdf({
    catalog: `/Outlines ${root}`,
    objects: [
      `<< /Type /Outlines /First ${first} /Last ${second} /Count 2 >>`,
      `<< /Title (One) /Parent ${root} /Next ${second} >>`,
      `<< /Title (Two) /Parent ${root} /Next ${first} /First ${first} >>`,
    ],
  })
}

/** A document encrypted with 40-bit RC4 whose check of the empty password fails, so that it asks for another. */
export function encrypted(): Buffer {
  const key = `<${'5a'.repeat(32)}>`
  return makePdf({
    objects: [`<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`],
    trailer: `/Encrypt ${FIRST_OBJECT} 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`,
  })
}

/** A document with actions on opening: run a script, start a program, deliver a file. */
export function active(): Buffer {
  const [script, file] = [FIRST_OBJECT, FIRST_OBJECT + 1].map((number) => `${number} 0 R`)
  return makePdf({
    catalog: `/OpenAction ${script} /Names << /JavaScript << /Names [(a) ${script}] >> /EmbeddedFiles << /Names [(f) ${file}] >> >>`,
    pages: [{ annotations: ['<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (calc.exe) >> >>'] }],
    objects: [
      '<< /S /JavaScript /JS (app.alert\\(1\\)) >>',
      `<< /Type /Filespec /F (notes.txt) /EF << /F ${FIRST_OBJECT + 2} 0 R >> >>`,
      stream('some notes', '/Type /EmbeddedFile'),
    ],
  })
}

/**
 * A page with a hidden note, a note, an attached file and a field, in a document that a page of HTML is attached to.
 * The author of the note is an account.
 */
export function annotated(): Buffer {
  const file = (name: string, number: number) =>
    `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${FIRST_OBJECT + number} 0 R >> >>`
  const note = (text: string, flags: number) =>
    `<< /Type /Annot /Subtype /Text /Rect [306 396 330 420] /T (DOMAIN-jdoe) /Contents (${text}) /F ${flags} >>`
  const attached = `<< /Type /Annot /Subtype /FileAttachment /Rect [72 72 96 96] /FS ${FIRST_OBJECT + 2} 0 R >>`
  return makePdf({
    pages: [
      {
        content: showText('Page 1'),
        annotations: [note('Unseen', 2), note('<b>Where</b>\\rfrom?', 4), attached, `${FIRST_OBJECT + 4} 0 R`],
      },
    ],
    catalog: `/Names << /EmbeddedFiles << /Names [(a) ${FIRST_OBJECT} 0 R] >> >> /AcroForm << /Fields [${FIRST_OBJECT + 4} 0 R] >>`,
    objects: [
      file('page.html', 1),
      stream('<script>alert(1)</script>', '/Type /EmbeddedFile'),
      file('May.csv', 3),
      stream('a,b\n1,2\n', '/Type /EmbeddedFile'),
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [72 500 300 520] >>',
    ],
  })
}
