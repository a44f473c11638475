"""Two plain sentences in each of many languages."""

SENTENCES = {
    "ar": (
        "كان الطقس جميلا هذا الصباح فذهبنا جميعا إلى السوق لشراء الخبز والفواكه.",
        "لا أعرف متى سيصل القطار لكنني سأنتظر هنا حتى المساء.",
    ),
    "bg": (
        "Тази сутрин времето беше хубаво и ние отидохме на пазара, за да купим хляб и плодове.",
        "Не знам кога ще пристигне влакът, но ще чакам тук до вечерта.",
    ),
    "ca": (
        "Aquest matí feia bon temps i vam anar tots junts al mercat a comprar pa i fruita.",
        "No sé quan arribarà el tren, però esperaré aquí fins al vespre.",
    ),
    "cs": (
        "Dnes ráno bylo hezké počasí, a tak jsme šli všichni na trh koupit chléb a ovoce.",
        "Nevím, kdy vlak přijede, ale budu tady čekat až do večera.",
    ),
    "da": (
        "Vejret var dejligt i morges, så vi gik alle sammen på torvet for at købe brød og frugt.",
        "Jeg ved ikke, hvornår toget kommer, men jeg venter her indtil i aften.",
    ),
    "de": (
        "Heute Morgen war das Wetter schön, und wir gingen alle zusammen auf den Markt, um Brot und Obst zu kaufen.",
        "Ich weiß nicht, wann der Zug kommt, aber ich warte hier bis zum Abend.",
    ),
    "el": (
        "Σήμερα το πρωί ο καιρός ήταν ωραίος και πήγαμε όλοι μαζί στην αγορά για να αγοράσουμε ψωμί και φρούτα.",
        "Δεν ξέρω πότε θα έρθει το τρένο, αλλά θα περιμένω εδώ μέχρι το βράδυ.",
    ),
    "en": (
        "The weather was fine this morning, so all of us went to the market to buy bread and fruit.",
        "I do not know when the train will arrive, but I shall wait here until evening.",
    ),
    "eo": (
        "Ĉi-matene la vetero estis bela, kaj ni ĉiuj iris al la bazaro por aĉeti panon kaj fruktojn.",
        "Mi ne scias, kiam la trajno alvenos, sed mi atendos ĉi tie ĝis la vespero.",
    ),
    "es": (
        "Esta mañana hacía buen tiempo y fuimos todos juntos al mercado a comprar pan y fruta.",
        "No sé cuándo llegará el tren, pero esperaré aquí hasta la noche.",
    ),
    "et": (
        "Täna hommikul oli ilus ilm ja me läksime kõik koos turule leiba ja puuvilju ostma.",
        "Ma ei tea, millal rong saabub, aga ma ootan siin õhtuni.",
    ),
    "eu": (
        "Gaur goizean eguraldi ona egiten zuen eta denok elkarrekin joan gara azokara ogia eta fruta erostera.",
        "Ez dakit noiz iritsiko den trena, baina hemen itxarongo dut arratsera arte.",
    ),
    "fa": (
        "امروز صبح هوا خوب بود و همه با هم به بازار رفتیم تا نان و میوه بخریم.",
        "نمی‌دانم قطار کی می‌رسد، اما تا شب همین‌جا منتظر می‌مانم.",
    ),
    "fi": (
        "Tänä aamuna sää oli kaunis, ja menimme kaikki yhdessä torille ostamaan leipää ja hedelmiä.",
        "En tiedä, milloin juna saapuu, mutta odotan täällä iltaan asti.",
    ),
    "fr": (
        "Ce matin il faisait beau et nous sommes tous allés ensemble au marché pour acheter du pain et des fruits.",
        "Je ne sais pas quand le train arrivera, mais j'attendrai ici jusqu'au soir.",
    ),
    "ga": (
        "Bhí an aimsir go breá ar maidin agus chuamar go léir chuig an margadh chun arán agus torthaí a cheannach.",
        "Níl a fhios agam cathain a thiocfaidh an traein, ach fanfaidh mé anseo go dtí an tráthnóna.",
    ),
    "he": (
        "הבוקר היה מזג אוויר נאה והלכנו כולנו יחד לשוק לקנות לחם ופירות.",
        "אני לא יודע מתי תגיע הרכבת, אבל אחכה כאן עד הערב.",
    ),
    "hi": (
        "आज सुबह मौसम अच्छा था और हम सब साथ मिलकर रोटी और फल खरीदने बाज़ार गए।",
        "मुझे नहीं पता कि रेलगाड़ी कब आएगी, लेकिन मैं शाम तक यहीं इंतज़ार करूँगा।",
    ),
    "hu": (
        "Ma reggel szép idő volt, és mindannyian együtt mentünk a piacra kenyeret és gyümölcsöt venni.",
        "Nem tudom, mikor érkezik a vonat, de itt várok estig.",
    ),
    "hy": (
        "Այս առավոտ եղանակը լավն էր, և մենք բոլորս միասին գնացինք շուկա՝ հաց և մրգեր գնելու։",
        "Չգիտեմ, թե երբ կգա գնացքը, բայց ես կսպասեմ այստեղ մինչև երեկո։",
    ),
    "id": (
        "Pagi ini cuacanya cerah dan kami semua pergi bersama ke pasar untuk membeli roti dan buah-buahan.",
        "Saya tidak tahu kapan kereta itu akan tiba, tetapi saya akan menunggu di sini sampai malam.",
    ),
    "it": (
        "Stamattina il tempo era bello e siamo andati tutti insieme al mercato a comprare il pane e la frutta.",
        "Non so quando arriverà il treno, ma aspetterò qui fino a sera.",
    ),
    "ja": (
        "今朝は天気が良かったので、みんなで市場へパンと果物を買いに行きました。",
        "電車がいつ来るのか分かりませんが、夕方までここで待ちます。",
    ),
    "ko": (
        "오늘 아침에는 날씨가 좋아서 우리 모두 함께 빵과 과일을 사러 시장에 갔습니다.",
        "기차가 언제 도착할지 모르지만 저녁까지 여기에서 기다리겠습니다.",
    ),
    "lt": (
        "Šį rytą oras buvo gražus, ir mes visi kartu nuėjome į turgų nusipirkti duonos ir vaisių.",
        "Nežinau, kada atvyks traukinys, bet lauksiu čia iki vakaro.",
    ),
    "lv": (
        "Šorīt laiks bija jauks, un mēs visi kopā gājām uz tirgu pirkt maizi un augļus.",
        "Es nezinu, kad pienāks vilciens, bet gaidīšu šeit līdz vakaram.",
    ),
    "ne": (
        "आज बिहान मौसम राम्रो थियो र हामी सबै सँगै रोटी र फलफूल किन्न बजार गयौं।",
        "रेल कहिले आइपुग्छ मलाई थाहा छैन, तर म साँझसम्म यहीँ पर्खनेछु।",
    ),
    "nl": (
        "Vanmorgen was het mooi weer en gingen we allemaal samen naar de markt om brood en fruit te kopen.",
        "Ik weet niet wanneer de trein aankomt, maar ik wacht hier tot de avond.",
    ),
    "no": (
        "Været var fint i morges, så vi gikk alle sammen til torget for å kjøpe brød og frukt.",
        "Jeg vet ikke når toget kommer, men jeg venter her til kvelden.",
    ),
    "pl": (
        "Dziś rano była ładna pogoda, więc wszyscy razem poszliśmy na targ kupić chleb i owoce.",
        "Nie wiem, kiedy przyjedzie pociąg, ale poczekam tutaj do wieczora.",
    ),
    "pt": (
        "Esta manhã fazia bom tempo e fomos todos juntos ao mercado comprar pão e fruta.",
        "Não sei quando o comboio vai chegar, mas vou esperar aqui até à noite.",
    ),
    "ro": (
        "În dimineața aceasta vremea era frumoasă și am mers cu toții la piață să cumpărăm pâine și fructe.",
        "Nu știu când va sosi trenul, dar voi aștepta aici până seara.",
    ),
    "ru": (
        "Сегодня утром была хорошая погода, и мы все вместе пошли на рынок купить хлеба и фруктов.",
        "Я не знаю, когда придёт поезд, но буду ждать здесь до вечера.",
    ),
    "sk": (
        "Dnes ráno bolo pekné počasie, a tak sme všetci spolu išli na trh kúpiť chlieb a ovocie.",
        "Neviem, kedy príde vlak, ale budem tu čakať až do večera.",
    ),
    "sl": (
        "Danes zjutraj je bilo lepo vreme in vsi skupaj smo šli na tržnico kupit kruh in sadje.",
        "Ne vem, kdaj bo prispel vlak, vendar bom čakal tukaj do večera.",
    ),
    "sr": (
        "Јутрос је време било лепо и сви заједно смо отишли на пијацу да купимо хлеб и воће.",
        "Не знам када ће воз стићи, али ћу чекати овде до вечери.",
    ),
    "st": (
        "Hoseng hona leholimo le ne le le letle mme kaofela ha rona re ile ra ya mmarakeng ho reka bohobe.",
        "Ha ke tsebe hore na terene e tla fihla neng, empa ke tla ema mona ho fihlela mantsiboya.",
    ),
    "sv": (
        "Vädret var fint i morse, så vi gick alla tillsammans till torget för att köpa bröd och frukt.",
        "Jag vet inte när tåget kommer, men jag väntar här tills det blir kväll.",
    ),
    "ta": (
        "இன்று காலை வானிலை நன்றாக இருந்ததால் நாங்கள் அனைவரும் ரொட்டியும் பழங்களும் வாங்க சந்தைக்குச் சென்றோம்.",
        "ரயில் எப்போது வரும் என்று எனக்குத் தெரியாது, ஆனால் மாலை வரை இங்கே காத்திருப்பேன்.",
    ),
    "th": (
        "เช้านี้อากาศดี พวกเราทุกคนจึงไปตลาดด้วยกันเพื่อซื้อขนมปังและผลไม้",
        "ฉันไม่รู้ว่ารถไฟจะมาถึงเมื่อไร แต่ฉันจะรออยู่ที่นี่จนถึงตอนเย็น",
    ),
    "tr": (
        "Bu sabah hava güzeldi ve hep birlikte ekmek ve meyve almak için pazara gittik.",
        "Trenin ne zaman geleceğini bilmiyorum ama akşama kadar burada bekleyeceğim.",
    ),
    "uk": (
        "Сьогодні вранці була гарна погода, і ми всі разом пішли на ринок купити хліба та фруктів.",
        "Я не знаю, коли прийде потяг, але чекатиму тут до вечора.",
    ),
    "vi": (
        "Sáng nay trời đẹp nên tất cả chúng tôi cùng đi chợ để mua bánh mì và trái cây.",
        "Tôi không biết khi nào tàu sẽ đến, nhưng tôi sẽ đợi ở đây cho đến tối.",
    ),
    "yi": (
        "הײַנט אין דער פֿרי איז דאָס וועטער געווען שיין, און מיר זענען אַלע צוזאַמען געגאַנגען אין מאַרק קויפֿן ברויט.",
        "איך ווייס נישט ווען די באַן וועט קומען, אָבער איך וועל וואַרטן דאָ ביז אין אָוונט.",
    ),
    "zh": (
        "今天早上天气很好,我们大家一起去市场买面包和水果。",
        "我不知道火车什么时候到,但我会在这里等到晚上。",
    ),
}
