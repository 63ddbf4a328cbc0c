import { type Html, html, slugOf } from '../server/html.ts'
import { inline } from './markdown.ts'
import { ruleWords, typeWords } from './rules.ts'
import type { Schema, SharedSchemas } from './schema.ts'

/** The fields of an object, each with type, rules and meaning; those of objects inside it stand below it. */
export function fieldList({ properties = {}, required = [] }: Schema, shared: SharedSchemas, side: FieldSide): Html {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field({ name, schema, note: noteOf(required.includes(name), side) }, shared, side),
  )
  return html`<ul class="fields">${fields}</ul>`
}

/** Whether a client sends the fields or receives them; what is worth a note differs. */
export type FieldSide = 'sent' | 'received'

/** A sent field is optional unless noted, a received one is there unless noted. */
export function noteOf(isRequired: boolean, side: FieldSide): string | undefined {
  if (side === 'sent') return isRequired ? 'required' : undefined
  return isRequired ? undefined : 'may be absent'
}

type Field = { name: string; schema: Schema; note: string | undefined }

/** One field, or one parameter. */
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

/** The words of a type, leading to the place where its object is explained. */
function linked(words: string, { title = '' }: Schema, isShared: boolean): Html {
  if (!isShared) return html`${words}`
  const [before, after] = words.split(title)
  return html`${before}${objectLink(title)}${after}`
}

/** A link to an object that has a place of its own. */
export function objectLink(title: string): Html {
  return html`<a href="#object-${slugOf(title)}">${title}</a>`
}
