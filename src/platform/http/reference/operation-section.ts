import { STATUS_CODES } from 'node:http'
import { type Html, html } from '../server/html.ts'
import { curlOf, exampleOf } from './example.ts'
import { field, fieldList, noteOf, objectLink } from './fields.ts'
import { inline, markdown } from './markdown.ts'
import type { Answer, Operation, Parameter, Problem } from './operations.ts'
import type { SharedSchemas } from './schema.ts'

/** Description of an answer that has none of its own, because OpenAPI demands one. */
const NOT_DESCRIBED = 'Default Response'

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const

/** Writes an operation: description, parameters, body, responses and errors, with examples. */
export function operationSection(
  operation: Operation,
  { shared, problems, baseUrl }: { shared: SharedSchemas; problems: readonly Problem[]; baseUrl: string },
): Html {
  const { id, method, path, summary, description, body, answers } = operation
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="facts">
<h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${chips(operation)}
${markdown(description)}
${Object.keys(PLACES).map((place) => parameterList(operation, place as Parameter['place'], shared))}
${body !== undefined && html`<h4>Body</h4>\n${fieldList(body, shared, 'sent')}`}
<h4>Response</h4>
${answers.map((answer) => answerSection(answer, shared))}
${problems.length > 0 && html`<h4>Errors</h4>\n${problemTable(problems, `Errors of ${summary}`)}`}
</div>
<div class="examples">
${example('Request', `Example request: ${summary}`, curlOf(operation, baseUrl))}
${answers.map(({ status, schema, types }) => example(`Response ${status}`, `Example response: ${summary}`, answerText(schema), types))}
</div>
</article>
`
}

/** Writes the API conventions that apply to the operation, each with a link. */
function chips({ security, permission, problems, parameters }: Operation): Html {
  const all = [
    security === 'token' &&
      html`<li><a href="#authentication">Needs a token${permission && html` with <code>${permission}</code>`}</a></li>`,
    security === 'session' &&
      html`<li>For signed-in operators${permission && html` with the role <code>${permission}</code>`}</li>`,
    problems.some(({ status }) => status === '429') && html`<li><a href="#rate-limits">Rate limited</a></li>`,
    parameters.some(({ name }) => name === 'Idempotency-Key') &&
      html`<li><a href="#idempotency">Takes an Idempotency-Key</a></li>`,
  ]
  return html`<ul class="chips">${all}</ul>`
}

function parameterList({ parameters }: Operation, place: Parameter['place'], shared: SharedSchemas): Html | undefined {
  const placed = parameters.filter((parameter) => parameter.place === place)
  if (placed.length === 0) return undefined
  return html`<h4>${PLACES[place]}</h4>
<ul class="fields">${placed.map(({ name, schema, isRequired }) => field({ name, schema, note: noteOf(isRequired, 'sent') }, shared, 'sent'))}</ul>`
}

function answerSection({ status, description, schema }: Answer, shared: SharedSchemas): Html {
  const isShared = schema?.title !== undefined && shared.has(schema.title)
  return html`<p><span class="status">${status}</span> ${
    isShared ? html`The ${objectLink(schema.title!)}.` : description !== NOT_DESCRIBED && inline(description)
  }</p>
${schema !== undefined && !isShared && fieldList(schema, shared, 'received')}`
}

/** Writes errors as a table of status, code and cause. */
export function problemTable(problems: readonly Problem[], label: string): Html {
  const rows = problems.map(
    ({ status, codes, description }) => html`<tr>
<td><span class="status" title="${STATUS_CODES[status]}">${status}</span></td>
<td>${codes.map(breakable)}</td>
<td>${inline(description)}</td>
</tr>
`,
  )
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`
}

/** Writes a code that may wrap after its underscores. */
function breakable(code: string): Html {
  const [first, ...others] = code.split('_')
  return html`<code>${first}${others.map((word) => html`_<wbr>${word}`)}</code> `
}

function answerText(schema: Answer['schema']): string | undefined {
  return schema === undefined ? undefined : JSON.stringify(exampleOf(schema), null, 2)
}

function example(caption: string, label: string, text: string | undefined, types: readonly string[] = []): Html {
  return html`<figure><figcaption>${caption}</figcaption>${
    text === undefined
      ? html`<p class="nothing">${types.length === 0 ? 'no body' : types.join(', ')}</p>`
      : html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
  }</figure>
`
}
