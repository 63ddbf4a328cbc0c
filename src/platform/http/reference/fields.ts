import { type Html, html, slugOf } from '../server/html.ts'
import { inline } from './markdown.ts'
import { ruleWords, typeWords } from './rules.ts'
import type { Schema, SharedSchemas } from './schema.ts'

/** Writes the fields of an object, each with type, rules and description; fields of inner objects are nested. */
export function fieldList({ properties = {}, required = [] }: Schema, shared: SharedSchemas, side: FieldSide): Html {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field({ name, schema, note: noteOf(required.includes(name), side) }, shared, side),
  )
  return html`<ul class="fields">${fields}</ul>`
}

/** The direction of the fields: sent by the client or received by it. */
export type FieldSide = 'sent' | 'received'

/** Notes required fields of requests, and optional fields of responses. */
export function noteOf(isRequired: boolean, side: FieldSide): string | undefined {
  if (side === 'sent') return isRequired ? 'required' : undefined
  return isRequired ? undefined : 'may be absent'
}

type Field = { name: string; schema: Schema; note: string | undefined }

/** Writes one field or parameter. */
export function field({ name, schema, note }: Field, shared: SharedSchemas, side: FieldSide): Html {
  const inner = schema.items ?? schema
  const isShared = inner.title !== undefined && shared.has(inner.title)
  const description = isShared ? schema.items && schema.description : schema.description
  const rules = ruleWords(schema).join('; ')
  return html`<li>
<p class="field"><code class="name">${name}</code> <span class="type">${linked(typeWords(schema, isShared), inner, isShared)}</span>${
    note !== undefined && html` <span class="note">${note}</span>`
  }</p>
${rules !== '' && html`<p class="rules">${inline(rules)}</p>`}
${description !== undefined && html`<p>${inline(description)}</p>`}
${!isShared && inner.properties !== undefined && fieldList(inner, shared, side)}
</li>
`
}

/** Writes a type, linked to the description of its object. */
function linked(words: string, { title = '' }: Schema, isShared: boolean): Html {
  if (!isShared) return html`${words}`
  const [before, after] = words.split(title)
  return html`${before}${objectLink(title)}${after}`
}

/** Writes a link to an object in the list of objects. */
export function objectLink(title: string): Html {
  return html`<a href="#object-${slugOf(title)}">${title}</a>`
}
