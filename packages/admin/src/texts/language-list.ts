// The languages that people can choose: the tag, the English name, and the language's own name if it differs. The names are from Unicode
// CLDR, and are listed here because browsers know only some of them.

const ROWS = `
ab | Abkhazian
aa | Afar
af | Afrikaans
agq | Aghem
ak | Akan
sq | Albanian | shqip
en-US | American English
am | Amharic | አማርኛ
blo | Anii | anii kagɩja
ar | Arabic | العربية
ar-EG | Arabic (Egypt) | العربية (مصر)
ar-SA | Arabic (Saudi Arabia) | العربية (المملكة العربية السعودية)
ar-AE | Arabic (United Arab Emirates) | العربية (الإمارات العربية المتحدة)
an | Aragonese
hy | Armenian | հայերեն
as | Assamese | অসমীয়া
ast | Asturian | asturianu
asa | Asu | Kipare
en-AU | Australian English
de-AT | Austrian German | Österreichisches Deutsch
av | Avaric
ae | Avestan
ay | Aymara
az | Azerbaijani | azərbaycan
ksf | Bafia | rikpa
bm | Bambara | bamanakan
bn | Bangla | বাংলা
bas | Basaa | Ɓàsàa
ba | Bashkir | башҡорт
eu | Basque | euskara
be | Belarusian | беларуская
bem | Bemba | Ichibemba
bez | Bena | Hibena
bho | Bhojpuri | भोजपुरी
bi | Bislama
brx | Bodo | बर’
bs | Bosnian | bosanski
pt-BR | Brazilian Portuguese | português (Brasil)
br | Breton | brezhoneg
en-GB | British English
bg | Bulgarian | български
bua | Buriat | буряад
my | Burmese | မြန်မာ
en-CA | Canadian English
fr-CA | Canadian French | français canadien
yue | Cantonese | 粵語
ca | Catalan | català
ceb | Cebuano
tzm | Central Atlas Tamazight | Tamaziɣt n laṭlaṣ
ckb | Central Kurdish | کوردیی ناوەندی
ccp | Chakma | 𑄌𑄋𑄴𑄟𑄳𑄦
ch | Chamorro
ce | Chechen | нохчийн
chr | Cherokee | ᏣᎳᎩ
cgg | Chiga | Rukiga
zh | Chinese | 中文
zh-CN | Chinese (China) | 中文（中国）
zh-HK | Chinese (Hong Kong SAR China) | 中文（中國香港特別行政區）
zh-TW | Chinese (Taiwan) | 中文（台灣）
cu | Church Slavic
cv | Chuvash | чӑваш чӗлхи
ksh | Colognian | Kölsch
kw | Cornish | kernewek
co | Corsican
cr | Cree
hr | Croatian | hrvatski
cs | Czech | čeština
da | Danish | dansk
dv | Divehi
doi | Dogri | डोगरी
dua | Duala | duálá
nl | Dutch | Nederlands
dz | Dzongkha | རྫོང་ཁ
arz | Egyptian Arabic
ebu | Embu | Kĩembu
en | English
en-IN | English (India)
en-IE | English (Ireland)
en-NZ | English (New Zealand)
en-ZA | English (South Africa)
eo | Esperanto
et | Estonian | eesti
pt-PT | European Portuguese | português europeu
es-ES | European Spanish | español de España
ee | Ewe | eʋegbe
ewo | Ewondo | ewondo
fo | Faroese | føroyskt
hif | Fiji Hindi
fj | Fijian
fil | Filipino
fi | Finnish | suomi
nl-BE | Flemish | Vlaams
fr | French | français
fr-BE | French (Belgium) | français (Belgique)
fur | Friulian | furlan
ff | Fula | Pulaar
gaa | Ga | Gã
gl | Galician | galego
lg | Ganda | Luganda
ka | Georgian | ქართული
de | German | Deutsch
el | Greek | Ελληνικά
gn | Guarani
gu | Gujarati | ગુજરાતી
guz | Gusii | Ekegusii
ht | Haitian Creole
bgc | Haryanvi | हरियाणवी
ha | Hausa
haw | Hawaiian | ʻŌlelo Hawaiʻi
he | Hebrew | עברית
hz | Herero
hi | Hindi | हिन्दी
ho | Hiri Motu
hmn | Hmong
hu | Hungarian | magyar
is | Icelandic | íslenska
io | Ido
ig | Igbo
ilo | Iloko
smn | Inari Sami | anarâškielâ
id | Indonesian | Indonesia
ia | Interlingua | interlingua
ie | Interlingue
iu | Inuktitut
ik | Inupiaq
ga | Irish | Gaeilge
it | Italian | italiano
it-CH | Italian (Switzerland) | italiano (Svizzera)
ja | Japanese | 日本語
jv | Javanese | Jawa
dyo | Jola-Fonyi | joola
kea | Kabuverdianu | kabuverdianu
kab | Kabyle | Taqbaylit
kgp | Kaingang | kanhgág
kkj | Kako | kakɔ
kl | Kalaallisut | kalaallisut
kln | Kalenjin
kam | Kamba | Kikamba
xnr | Kangri | कांगड़ी
kn | Kannada | ಕನ್ನಡ
kr | Kanuri
ks | Kashmiri | کٲشُر
kk | Kazakh | қазақ тілі
km | Khmer | ខ្មែរ
ki | Kikuyu | Gikuyu
rw | Kinyarwanda | Ikinyarwanda
kv | Komi
kg | Kongo
kok | Konkani | कोंकणी
ko | Korean | 한국어
khq | Koyra Chiini | Koyra ciini
ses | Koyraboro Senni | Koyraboro senni
kj | Kuanyama
ku | Kurdish | kurdî (kurmancî)
kxv | Kuvi | kuvi
nmg | Kwasio
ky | Kyrgyz | кыргызча
lkt | Lakota | Lakȟólʼiyapi
lag | Langi | Kɨlaangi
lo | Lao | ລາວ
la | Latin
es-419 | Latin American Spanish | español latinoamericano
lv | Latvian | latviešu
lij | Ligurian | ligure
li | Limburgish
ln | Lingala | lingála
lzh | Literary Chinese
lt | Lithuanian | lietuvių
lmo | Lombard
nds | Low German | Neddersass’sch
dsb | Lower Sorbian | dolnoserbšćina
lu | Luba-Katanga | Tshiluba
luo | Luo | Dholuo
lb | Luxembourgish | Lëtzebuergesch
luy | Luyia | Luluhia
mk | Macedonian | македонски
jmc | Machame | Kimachame
mai | Maithili | मैथिली
vmw | Makhuwa | emakhuwa
mgh | Makhuwa-Meetto | Makua
kde | Makonde | Chimakonde
mg | Malagasy
ms | Malay | Melayu
ml | Malayalam | മലയാളം
mt | Maltese | Malti
mni | Manipuri | মৈতৈলোন্
gv | Manx | Gaelg
mi | Māori
mr | Marathi | मराठी
mh | Marshallese
mas | Masai | Maa
mzn | Mazanderani | مازرونی
mer | Meru | Kĩmĩrũ
mgo | Metaʼ | metaʼ
es-MX | Mexican Spanish | español de México
nan | Min Nan Chinese
mn | Mongolian | монгол
mfe | Morisyen | kreol morisien
mua | Mundang | MUNDAŊ
nqo | N’Ko | ߒߞߏ
ars | Najdi Arabic | اللهجة النجدية
naq | Nama | Khoekhoegowab
na | Nauru
nv | Navajo
ng | Ndonga
ne | Nepali | नेपाली
nnh | Ngiemboon | Shwóŋò ngiembɔɔn
jgo | Ngomba | Ndaꞌa
yrl | Nheengatu | nheẽgatu
pcm | Nigerian Pidgin | Naijíriá Píjin
nd | North Ndebele | isiNdebele
lrc | Northern Luri | لۊری شومالی
se | Northern Sami | davvisámegiella
nso | Northern Sotho | Sesotho sa Leboa
no | Norwegian | norsk
nb | Norwegian Bokmål | norsk bokmål
nn | Norwegian Nynorsk | norsk nynorsk
nus | Nuer | Thok Nath
ny | Nyanja
nyn | Nyankole | Runyankore
oc | Occitan | occitan
or | Odia | ଓଡ଼ିଆ
oj | Ojibwa
om | Oromo | Oromoo
os | Ossetic | ирон
pi | Pali
pap | Papiamento
ps | Pashto | پښتو
fa | Persian | فارسی
pms | Piedmontese | piemontèis
pl | Polish | polski
pt | Portuguese | português
prg | Prussian | prūsiskan
pa | Punjabi | ਪੰਜਾਬੀ
qu | Quechua | Runasimi
raj | Rajasthani | राजस्थानी
ro | Romanian | română
rm | Romansh | rumantsch
rof | Rombo | Kihorombo
rn | Rundi | Ikirundi
ru | Russian | русский
rwk | Rwa | Kiruwa
saq | Samburu | Kisampur
sm | Samoan
sg | Sango | Sängö
sbp | Sangu | Ishisangu
sa | Sanskrit | संस्कृत भाषा
sat | Santali | ᱥᱟᱱᱛᱟᱲᱤ
sc | Sardinian | sardu
sco | Scots
gd | Scottish Gaelic | Gàidhlig
seh | Sena | sena
sr | Serbian | српски
sr-Cyrl | Serbian (Cyrillic) | српски (ћирилица)
sr-Latn | Serbian (Latin) | srpski (latinica)
ksb | Shambala | Kishambaa
shn | Shan | တႆး
sn | Shona | chiShona
ii | Sichuan Yi | ꆈꌠꉙ
scn | Sicilian | sicilianu
szl | Silesian | ślōnski
zh-Hans | Simplified Chinese | 简体中文
sd | Sindhi | سنڌي
si | Sinhala | සිංහල
sk | Slovak | slovenčina
sl | Slovenian | slovenščina
xog | Soga | Olusoga
so | Somali | Soomaali
nr | South Ndebele
st | Southern Sotho | Sesotho
es | Spanish | español
es-AR | Spanish (Argentina) | español (Argentina)
es-CL | Spanish (Chile) | español (Chile)
es-CO | Spanish (Colombia) | español (Colombia)
es-US | Spanish (United States) | español (Estados Unidos)
zgh | Standard Moroccan Tamazight | ⵜⴰⵎⴰⵣⵉⵖⵜ
su | Sundanese | Basa Sunda
sw | Swahili | Kiswahili
csw | Swampy Cree | ᓀᐦᐃᓇᐍᐏᐣ
ss | Swati
sv | Swedish | svenska
fr-CH | Swiss French | français suisse
gsw | Swiss German | Schwiizertüütsch
de-CH | Swiss High German | Schweizer Hochdeutsch
syr | Syriac | ܣܘܪܝܝܐ
shi | Tachelhit | ⵜⴰⵛⵍⵃⵉⵜ
ty | Tahitian
dav | Taita | Kitaita
tg | Tajik | тоҷикӣ
ta | Tamil | தமிழ்
twq | Tasawaq | Tasawaq senni
tt | Tatar | татар
te | Telugu | తెలుగు
teo | Teso | Kiteso
th | Thai | ไทย
bo | Tibetan | བོད་སྐད་
ti | Tigrinya | ትግርኛ
tpi | Tok Pisin
tok | Toki Pona | toki pona
to | Tongan | lea fakatonga
zh-Hant | Traditional Chinese | 繁體中文
ts | Tsonga
tn | Tswana | Setswana
tr | Turkish | Türkçe
tk | Turkmen | türkmen dili
tyv | Tuvinian | Тыва
uk | Ukrainian | українська
hsb | Upper Sorbian | hornjoserbšćina
ur | Urdu | اردو
ug | Uyghur | ئۇيغۇرچە
uz | Uzbek | o‘zbek
vai | Vai | ꕙꔤ
ve | Venda
vec | Venetian | veneto
vi | Vietnamese | Tiếng Việt
vo | Volapük
vun | Vunjo | Kyivunjo
wa | Walloon
wae | Walser
war | Waray
cy | Welsh | Cymraeg
fy | Western Frisian | Frysk
wo | Wolof
wuu | Wu Chinese
xh | Xhosa | IsiXhosa
sah | Yakut | саха тыла
yav | Yangben | nuasue
yi | Yiddish | ייִדיש
yo | Yoruba | Èdè Yorùbá
dje | Zarma | Zarmaciine
za | Zhuang | Vahcuengh
zu | Zulu | isiZulu
`;

export interface Language {
  readonly tag: string;
  readonly name: string;
  /** The language's name in the language itself. */
  readonly ownName: string;
}

export const LANGUAGES: readonly Language[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [tag = '', name = '', ownName = name] = row.split(' | ');
    return { tag, name, ownName };
  });
