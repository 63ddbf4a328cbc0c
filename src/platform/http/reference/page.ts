import type { OpenAPIV3_1 } from 'openapi-types'
import { type Html, html, slugOf } from '../server/html.ts'
import { contents } from './contents.ts'
import { type FieldSide, fieldList } from './fields.ts'
import { inline, type MarkdownSection, markdown, sectionsOf } from './markdown.ts'
import { operationSection, problemTable } from './operation-section.ts'
import { commonProblems, includesProblem, type Operation, operationsOf, type Problem } from './operations.ts'
import { type Schema, type SharedSchemas, sharedSchemas, titledSchemas } from './schema.ts'

export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 13 6 4l4 6 2-3 2 6z' fill='%230f766e'/%3E%3C/svg%3E"

/** Writes the reference of an API as an HTML page that needs no script, from the description alone. */
export function referencePage(document: OpenAPIV3_1.Document, styleAddress: string): string {
  const { info, tags = [], servers } = document
  const operations = operationsOf(document)
  const shared = sharedSchemas(operations.flatMap(schemasOf))
  const sent = new Set(operations.flatMap(({ body }) => titledSchemas(body ?? {})).map(({ title }) => title))
  const problem = document.components?.schemas?.Problem as Schema | undefined
  const objects = new Map([...shared, ...(problem === undefined ? [] : [['Problem', problem] as const])])
  const common = commonProblems(operations)
  const [introduction, ...conventions] = sectionsOf(`${info.description ?? ''}\n`)
  const baseUrl = servers?.[0]?.url ?? ''
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter((operation) => operation.tag === tag.name),
  }))

  return html`<!doctype html>
<html lang="en">
${head(info.title, styleAddress)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand">${info.title} <span>API reference</span></p>
<p class="version">Version ${info.version} · <a href="openapi.json">openapi.json</a> · <a href="docs/app-developers">Guides</a></p>
</header>
${contents(
  conventions.map(({ heading = '' }) => heading),
  groups,
  [...objects.keys()],
)}
<main id="content" tabindex="-1">
<h1>${info.title} API</h1>
${introduction !== undefined && markdown(introduction.body)}
<p>The base URL is <code>${baseUrl}</code>.</p>
${conventionsSection(conventions, common)}
${groups.map(
  (group) => html`<section aria-labelledby="${slugOf(group.name)}">
<h2 id="${slugOf(group.name)}">${group.name}</h2>
${markdown(group.description ?? '')}
${group.operations.map((operation) =>
  operationSection(operation, {
    shared,
    baseUrl,
    problems: operation.problems.filter((own) => !includesProblem(common, own)),
  }),
)}
</section>
`,
)}
<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
${[...objects].map(([title, schema]) => objectSection(title, schema, shared, sent.has(title) ? 'sent' : 'received'))}
</section>
</main>
<footer><p>Generated from this server's <a href="openapi.json">OpenAPI description</a>.</p></footer>
</body>
</html>
`.text
}

function head(title: string, styleAddress: string): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<link rel="stylesheet" href="${styleAddress}">
<link rel="icon" href="${ICON}">
</head>`
}

function conventionsSection(conventions: readonly MarkdownSection[], common: readonly Problem[]): Html {
  return html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
<div class="conventions">
${conventions.map(({ heading = '', body }) => html`<section><h3 id="${slugOf(heading)}">${heading}</h3>\n${markdown(body)}</section>\n`)}
</div>
<h3 id="errors-of-every-operation">Errors of every operation</h3>
${problemTable(common, 'Errors of every operation')}
</section>`
}

function schemasOf({ body, answers }: Operation): Schema[] {
  return [body, ...answers.map(({ schema }) => schema)].filter((schema) => schema !== undefined)
}

function objectSection(title: string, schema: Schema, shared: SharedSchemas, side: FieldSide): Html {
  return html`<section class="object"><h3 id="object-${slugOf(title)}"><a href="#object-${slugOf(title)}">${title}</a></h3>
${schema.description !== undefined && html`<p>${inline(schema.description)}</p>`}
${fieldList(schema, shared, side)}
</section>
`
}
