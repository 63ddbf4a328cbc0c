import type { access as english } from '../../en/administration/access.ts'
import type { TextsOf } from '../../en/texts-of.ts'

/** Roles of operators, what they are for, and the confirmation of dangerous actions. */
export const access: TextsOf<typeof english> = {
  'role.viewer': 'Lecteur',
  'role.viewerHelp': 'Voit tout, sauf les jetons, les clés, les liens de partage et les webhooks. Ne modifie rien.',
  'role.editor': 'Éditeur',
  'role.editorHelp':
    'Peut aussi modifier et publier, ainsi que voir et créer des jetons, des clés, des liens de partage et des webhooks.',
  'role.owner': 'Propriétaire',
  'role.ownerHelp': 'Gère aussi les opérateurs et la carte. Un propriétaire a toujours accès à tout.',

  'reach.everything': 'Tout',
  'reach.everythingHelp': 'Tous les événements et espaces de travail, y compris les futurs.',
  'reach.some': 'Certains événements et espaces de travail seulement',
  'reach.someHelp': 'Tous les autres sont masqués.',
  'reach.list': 'Événements et espaces de travail',
  'reach.nothing': 'Sans sélection, cet opérateur ne voit rien.',
  'reach.notFound': 'Aucun résultat',
  'reach.events_one': '{{count}} événement',
  'reach.events_many': '{{count}} événements',
  'reach.events_other': '{{count}} événements',
  'reach.workspaces_one': '{{count}} espace de travail',
  'reach.workspaces_many': '{{count}} espaces de travail',
  'reach.workspaces_other': '{{count}} espaces de travail',
  'reach.none': 'aucun événement ni espace de travail',

  'access.deniedTitle': 'Cette page n’est pas prévue pour votre rôle',
  'access.deniedHelp': 'Un propriétaire peut changer votre rôle sur la page Opérateurs.',
  'access.nothingYet': 'Le contenu s’affichera ici dès qu’un propriétaire vous y donnera accès.',
  'access.noTracksYet': 'Les traces s’affichent ici dès qu’un premier téléphone envoie sa position.',
  'access.noPublicationsYet': 'Les documents s’affichent ici dès leur publication.',
  'access.noCourse': 'Personne n’a encore ajouté le parcours.',
  'access.noStartList': 'Personne n’a encore ajouté la liste de départ.',
  'access.limitsFixed': 'Seuls les opérateurs qui ont accès à tous les événements peuvent modifier ces limites.',

  'confirmation.title': 'Confirmez votre identité',
  'confirmation.help': 'Saisissez votre mot de passe pour continuer.',
  'confirmation.codeHelp':
    'Saisissez un code de votre application d’authentification ou l’un de vos codes de secours pour continuer.',
  'confirmation.otherHelp': 'Identifiez-vous de nouveau pour continuer.',
  'confirmation.tenMinutes': 'Cela ne vous sera plus demandé pendant dix minutes.',
  'confirmation.usePassword': 'Utiliser le mot de passe',
  'confirmation.useCode': 'Utiliser un code',
  'confirmation.none':
    'Votre compte n’a ni mot de passe ni autre moyen de confirmer dans ce navigateur. Demandez un lien de connexion à un propriétaire et choisissez un mot de passe.',
  'confirmation.submit': 'Continuer',
  'confirmation.wrong': 'Le mot de passe est incorrect.',
  'confirmation.wrongCode': 'Le code est incorrect ou a déjà été utilisé.',

  'operators.role': 'Rôle',
  'operators.reach': 'Accès à',
  'operators.roleOf': 'Changer le rôle de {{name}}',
  'operators.roleChange': 'Changer le rôle',
  'operators.roleSubmit': 'Changer le rôle',
  'operators.roleChanged': 'Rôle de {{name}} modifié',
  'operators.lastOwner': 'C’est le seul propriétaire. Donnez d’abord ce rôle à un autre opérateur.',

  'account.role': 'Votre rôle : {{role}}',
}
