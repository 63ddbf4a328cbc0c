import type { TextsOf } from '../en/texts-of.ts'
import type { tokens as english } from '../en/tokens.ts'

/** App tokens. */
export const tokens: TextsOf<typeof english> = {
  'token.token': 'Jeton d’application',
  'token.server': 'Adresse du serveur',
  'token.qr': 'Code QR avec l’adresse du serveur et le jeton',
  'token.qrHelp': 'Scannez-le avec l’application pour définir l’adresse du serveur et le jeton.',
  'token.noQr':
    'Ce jeton n’a pas de code QR, car il permet de lire ou de supprimer les traces de tous. Réservez-le aux programmes de confiance. Pour les téléphones, voir la page Téléphones.',
  'token.curlCreate': 'Pour essayer : démarrer une trace',
  'token.curlPoint': 'Envoyer un point',
  'token.curlFinish': 'Terminer la trace',

  'tokens.explanation':
    'Les applications utilisent un jeton pour envoyer des traces à cet événement et pour les lire. Donnez à chaque équipe son propre jeton : vous pourrez en révoquer un sans toucher aux autres.',
  'tokens.empty': 'Aucun jeton',
  'tokens.emptyHelp': 'Les applications ont besoin d’un jeton pour envoyer des traces à cet événement.',
  'tokens.new': 'Votre nouveau jeton',
  'tokens.create': 'Nouveau jeton',
  'tokens.createSubmit': 'Créer le jeton',
  'tokens.label': 'Libellé',
  'tokens.labelHelp': 'Facultatif. Vous aide à reconnaître le jeton.',
  'tokens.lastUsed': 'Dernière utilisation',
  'tokens.never': 'Jamais',
  'tokens.show': 'Afficher',
  'tokens.showThis': 'Afficher le jeton : {{name}}',
  'tokens.cannotShow':
    'Ce jeton a été créé avec un autre secret du serveur et ne peut pas être affiché. Il fonctionne toujours.',
  'tokens.revoke': 'Révoquer',
  'tokens.revokeThis': 'Révoquer le jeton : {{name}}',
  'tokens.revokeHelp':
    'Les applications qui l’utilisent sont refusées dès leur prochaine requête. Ce qu’elles ont envoyé reste.',
  'tokens.revokeLast': 'C’est le seul jeton de cet événement.',
  'tokens.revoked': 'Jeton révoqué',
  'tokens.rotate': 'Remplacer le premier jeton',
  'tokens.rotateHelp':
    'Un nouveau jeton remplace le premier de cet événement. Gardez l’ancien valable quelque temps, pour laisser aux téléphones le temps de changer. Les jetons créés ensuite et ceux des participants restent valables.',
  'tokens.rotateSubmit': 'Remplacer le jeton',
  'tokens.overlap': 'L’ancien jeton expire',

  'tokens.first': 'Premier jeton',
  'tokens.permissions': 'Droits',
  'tokens.permission.record': 'Enregistrer',
  'tokens.permission.read': 'Lire',
  'tokens.permission.manage': 'Gérer',
  'tokens.permissionHelp.record': 'Créer des traces, envoyer des points, terminer des traces.',
  'tokens.permissionHelp.read': 'Obtenir les traces et les points.',
  'tokens.permissionHelp.manage':
    'Supprimer des traces et modifier les webhooks. Ne mettez jamais un tel jeton dans une application.',
  'tokens.permissionMissing': 'Choisissez au moins un droit',
  'tokens.person': 'Seulement pour ce user_id',
  'tokens.personHelp': 'Facultatif. Le jeton ne vaut alors que pour les traces de cette personne.',
  'lifetime.none': 'Jamais',
  'lifetime.year': 'Après 1 an',
  'lifetime.event': 'Avec l’événement ({{last}})',
  'lifetime.noLastDay': 'Les jetons ne peuvent pas expirer avec cet événement, car il n’a pas de dernier jour.',

  'participants.title': 'Participants',
  'participants.explanation':
    'Donnez à chaque participant son propre jeton, qui ne permet d’enregistrer et de lire que les traces de cette personne. Imprimez les jetons en codes QR, à scanner avec l’application.',
  'participants.add': 'Ajouter des participants',
  'participants.addHelp':
    'Collez la liste de vos participants, ou prenez votre liste de départ telle quelle. Chaque personne qui n’a pas encore de jeton en reçoit un.',
  'participants.csv': 'Participants en CSV',
  'participants.csvHelp':
    'Collez-la depuis un tableur, ou déposez un fichier ici. La première ligne donne les noms des colonnes : user_id et nom. Sans user_id, la colonne dossard est utilisée. Dans une liste sans cette ligne, le user_id vient d’abord, puis le nom.',
  'participants.create': 'Créer les jetons',
  'participants.created_one': '{{figure}} jeton créé',
  'participants.created_many': '{{figure}} jetons créés',
  'participants.created_other': '{{figure}} jetons créés',
  'participants.preview_one': '{{figure}} personne reçoit un jeton.',
  'participants.preview_many': '{{figure}} personnes reçoivent un jeton.',
  'participants.preview_other': '{{figure}} personnes reçoivent un jeton.',
  'participants.previewKnown_one': '{{figure}} en a déjà un et le garde.',
  'participants.previewKnown_many': '{{figure}} en ont déjà un et le gardent.',
  'participants.previewKnown_other': '{{figure}} en ont déjà un et le gardent.',
  'participants.previewLabel': 'Les premières personnes de la liste',
  'participants.hasToken': 'a un jeton',
  'participants.print': 'Codes QR',
  'participants.empty': 'Aucun jeton de participant',
  'participants.emptyHelp': 'Ajoutez des participants pour donner à chacun son propre jeton.',
  'participants.search': 'Chercher des participants',
  'participants.noneFound': 'Personne n’a été trouvé',
  'participants.someOf': '{{shown}} participants sur {{total}}',
  'participants.count_one': '{{figure}} participant',
  'participants.count_many': '{{figure}} participants',
  'participants.count_other': '{{figure}} participants',
  'participants.showAll': 'Tout afficher',
  'sheet.title': 'Codes QR des participants',
  'sheet.help':
    'Imprimez la feuille, découpez-la et distribuez les codes. Chacun contient l’adresse de ce serveur et le jeton d’une personne : qui le scanne enregistre en son nom.',
  'sheet.onlyUnused': 'Seulement les jetons jamais utilisés',
  'sheet.codes_one': '{{figure}} code',
  'sheet.codes_many': '{{figure}} codes',
  'sheet.codes_other': '{{figure}} codes',
  'sheet.code': 'Code QR de {{name}}',

  'address.local': 'Aucun téléphone ne peut ouvrir cette adresse',
  'address.localHelp':
    'Elle mène à l’ordinateur qui l’ouvre. Donnez à <code>{{setting}}</code> l’adresse à laquelle les téléphones atteignent ce serveur, comme https://tracks.example.org, et à <code>HOST</code> la valeur 0.0.0.0, sauf si un proxy tourne sur la même machine. Puis redémarrez.',
  'address.plain': 'Les téléphones refusent cette adresse : elle n’est pas chiffrée',
  'address.plainHelp':
    'Les applications n’envoient rien à une adresse en http, et ce qui y est envoyé peut être lu en chemin. Placez un proxy HTTPS devant ce serveur et donnez son adresse https à <code>{{setting}}</code>.',
}
